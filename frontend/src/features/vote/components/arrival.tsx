import { useQuery } from '@tanstack/react-query'
import { Icon } from '@/components/ui/icon'
import { useTranslation } from '@/lib/i18n/i18n'
import { arrivalQuery } from '../api/arrival'
import styles from './arrival.module.css'

/**
 * Whether the vote was delivered to the server. Renders nothing if it has no receiver, or if the
 * state is unknown.
 */
export function Arrival({ voteId }: { voteId: string }) {
  const { t } = useTranslation('vote')
  const { data } = useQuery(arrivalQuery(voteId))
  if (data === undefined || data === 'nobody') return null
  return (
    <p className={styles.arrival} data-arrival={data} role="status">
      <Icon name={data === 'arrived' || data === 'sent' ? 'check' : 'clock'} size={16} />
      {t(`arrival.${data}`)}
    </p>
  )
}
