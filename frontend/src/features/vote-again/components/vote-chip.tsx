import { classes } from '@/components/ui/classes'
import { ServerLogo } from '@/components/ui/server-logo'
import { useNow } from '@/components/ui/use-now'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatClock, formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { openVoteDialog, type VoteTarget } from '@/entities/vote/dialog'
import { useNextVote } from '@/entities/vote/state'
import styles from './vote-chip.module.css'

/** A server and the time to its next vote; opens the vote dialog. */
export function VoteChip({ server }: { server: VoteTarget }) {
  const { t } = useTranslation(['vote-again', 'shell'])
  const language = useLanguage()
  const next = useNextVote(server.id)
  const known = useNow(next === null ? null : undefined)
  const seconds = next === null ? 0 : Math.ceil((next - known) / 1000)
  const name = decodeStored(server.name)
  const isReady = seconds <= 0
  return (
    <button
      type="button"
      className={classes(styles.chip, isReady && styles.ready)}
      onClick={() => openVoteDialog(server)}
    >
      <ServerLogo src={server.logoUrl} name={name} size={28} />
      <span aria-hidden="true" className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.state}>{isReady ? t('vote-again:vote') : formatClock(seconds)}</span>
      </span>
      <VisuallyHidden>
        {isReady || next === null
          ? t('shell:vote.for', { name })
          : t('shell:vote.waiting', { name, time: formatTime(next, language) })}
      </VisuallyHidden>
    </button>
  )
}
