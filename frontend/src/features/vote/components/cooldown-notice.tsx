import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { useNow } from '@/components/ui/use-now'
import { formatDuration } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { closeVoteDialog, type VoteTarget } from '@/entities/vote/dialog'
import { NextInRound } from './next-in-round'
import { NextVote } from './next-vote'
import styles from './outcome.module.css'

interface CooldownNoticeProps {
  name: string
  /** When the next vote is possible, in milliseconds. */
  until: number
  /** The next server of the round. */
  next: VoteTarget | null
}

/** Says that the person has voted already, and when the next vote is possible. */
export function CooldownNotice({ name, until, next }: CooldownNoticeProps) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  // In minutes, so that the sentence does not change every second.
  const minutes = Math.max(1, Math.ceil((until - useNow(30_000)) / 60_000))
  return (
    <div className={styles.outcome}>
      <span className={styles.clock}>
        <Icon name="clock" size={34} />
      </span>
      <div role="status" className={styles.words}>
        <h3>{t('cooldown.title')}</h3>
        <p>{t('cooldown.text', { server: name, wait: formatDuration(minutes * 60, language) })}</p>
      </div>
      <NextVote until={until} />
      {next ? (
        <NextInRound next={next} />
      ) : (
        <Button size="large" wide onClick={closeVoteDialog}>
          {t('cooldown.close')}
        </Button>
      )}
    </div>
  )
}
