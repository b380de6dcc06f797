import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { useNow } from '@/components/ui/use-now'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatClock, formatTime } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { openVoteDialog, type VoteTarget } from '@/entities/vote/dialog'
import { useNextVote } from '@/entities/vote/state'
import styles from './vote-button.module.css'

interface VoteButtonProps {
  target: VoteTarget
  /** The server's name as plain text. */
  name: string
  /**
   * `filled` where voting is the purpose of the page, `tinted` where many such buttons stand
   * together.
   */
  variant?: 'filled' | 'tinted'
  size?: 'small' | 'medium' | 'large'
}

/** Opens the vote dialog; after a vote it counts down to the next one. */
export function VoteButton({ target, name, variant = 'filled', size = 'medium' }: VoteButtonProps) {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const next = useNextVote(target.id)
  const known = useNow(next === null ? null : undefined)
  // A vote just cast may be newer than the last clock update; a moment that has passed counts as
  // none.
  const seconds = next === null ? 0 : Math.ceil((next - known) / 1000)
  const waiting = next !== null && seconds > 0
  return (
    <Button
      wide
      size={size}
      variant={waiting || variant === 'tinted' ? 'secondary' : 'primary'}
      className={!waiting && variant === 'tinted' ? styles.tinted : undefined}
      icon={waiting ? 'clock' : 'arrow-up'}
      onClick={() => openVoteDialog(target)}
    >
      {waiting ? (
        <>
          <span aria-hidden="true" className={styles.clock}>
            {size === 'large' ? t('vote.next', { clock: formatClock(seconds) }) : formatClock(seconds)}
          </span>
          <VisuallyHidden>{t('vote.waiting', { name, time: formatTime(next, language) })}</VisuallyHidden>
        </>
      ) : (
        <>
          <span aria-hidden="true">{t('vote.label')}</span>
          <VisuallyHidden>{t('vote.for', { name })}</VisuallyHidden>
        </>
      )}
    </Button>
  )
}
