import { useQuery } from '@tanstack/react-query'
import { Icon } from '@/components/ui/icon'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { ownPlaceQuery } from '@/entities/vote/own-place'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './voter-place.module.css'

/** The voter's place after the vote. Renders nothing for guests, who have none. */
export function VoterPlace() {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const { user } = useSession()
  const { data } = useQuery({ ...ownPlaceQuery(user?.id ?? '', 'month'), enabled: user !== null })
  if (user === null || !data || data.rank === null) return null
  return (
    <p className={styles.place}>
      <Icon name="trophy" size={16} />
      {t('voter', { rank: formatNumber(data.rank, language) })}
    </p>
  )
}
