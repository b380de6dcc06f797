import { VoteButton } from '@/components/vote/vote-button'
import { config } from '@/lib/config'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useIntervalText } from '@/lib/i18n/use-interval-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ServerDetail } from '../api/server'
import { voteTargetOf } from '../model/vote-target'
import { Gap } from './gap'
import styles from './vote-card.module.css'

/** The month's votes, the place, and the vote button. */
export function VoteCard({ server, name }: { server: ServerDetail; name: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const every = useIntervalText(config.voteCooldownSeconds)
  return (
    <div className={styles.card}>
      <div className={styles.words}>
        <p className={styles.votes}>
          <span className={styles.figure}>{formatNumber(server.monthly_votes, language)}</span>
          <span>{t('vote.month', { count: server.monthly_votes })}</span>
        </p>
        <p className={styles.place}>
          <strong>
            {t('vote.place', { rank: formatNumber(server.game_rank, language), game: server.games.name })}
          </strong>
          <Gap serverId={server.id} />
        </p>
      </div>
      <div className={styles.action}>
        <VoteButton target={voteTargetOf(server)} name={name} size="large" />
      </div>
      <p className={styles.rule}>{t('vote.rule', { every })}</p>
    </div>
  )
}
