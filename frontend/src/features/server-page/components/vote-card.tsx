import { useTranslation } from '@/lib/i18n'
import { config } from '@/lib/config'
import { formatNumber } from '@/lib/format'
import { useEvery } from '@/lib/use-every'
import { useLanguage } from '@/lib/use-language'
import type { ServerDetail } from '../api/server'
import { VoteAction } from './vote-action'
import styles from './vote-card.module.css'

/** The month's figure and the button that raises it. */
export function VoteCard({ server, name }: { server: ServerDetail; name: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const every = useEvery(config.voteCooldownSeconds)
  return (
    <div className={styles.card}>
      <p className={styles.votes}>
        <span className={styles.figure}>{formatNumber(server.monthly_votes, language)}</span>
        <span>{t('vote.month', { count: server.monthly_votes })}</span>
      </p>
      <div className={styles.action}>
        <VoteAction server={server} name={name} />
      </div>
      <p className={styles.rule}>{t('vote.rule', { every })}</p>
    </div>
  )
}
