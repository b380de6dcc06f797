import { useQuery } from '@tanstack/react-query'
import { Icon } from '@/components/ui/icon'
import { useTranslation } from '@/lib/i18n/i18n'
import { arrivalQuery } from '../api/arrival'
import styles from './arrival.module.css'

/** Whether the server has heard of the vote. Nothing where it asked not to be told, or when nobody knows. */
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
