import { useTranslation } from '@/lib/i18n'
import { config } from '@/lib/config'
import { formatDuration, formatNumber } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import type { ServerDetail } from '../api/server'
import { VoteAction } from './vote-action'
import styles from './vote-card.module.css'

/** The month's figure and the button that raises it. */
export function VoteCard({ server, name }: { server: ServerDetail; name: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  return (
    <div className={styles.card}>
      <p className={styles.votes}>
        <span className={styles.figure}>{formatNumber(server.monthly_votes, language)}</span>
        <span>{t('vote.month', { count: server.monthly_votes })}</span>
      </p>
      <div className={styles.action}>
        <VoteAction server={server} name={name} />
      </div>
      <p className={styles.rule}>
        {t('vote.rule', { cooldown: formatDuration(config.voteCooldownSeconds, language) })}
      </p>
    </div>
  )
}
