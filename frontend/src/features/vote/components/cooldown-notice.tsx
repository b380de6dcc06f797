import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { formatDuration, formatTime } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import { closeVoteDialog } from '@/lib/vote-dialog'
import { NextVote } from './next-vote'
import styles from './outcome.module.css'

/** Says that one has voted already, and when the next vote is possible. */
export function CooldownNotice({ name, until, now }: { name: string; until: number; now: number }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const seconds = Math.max(0, Math.floor((until - now) / 1000))
  // Said in minutes, so that the sentence does not change with every second.
  const wait = formatDuration(Math.max(1, Math.ceil(seconds / 60)) * 60, language)
  return (
    <div className={styles.outcome}>
      <span className={styles.clock}>
        <Icon name="clock" size={34} />
      </span>
      <div role="status" className={styles.words}>
        <h3>{t('cooldown.title')}</h3>
        <p>{t('cooldown.text', { server: name, wait })}</p>
      </div>
      <NextVote
        label={t('cooldown.next')}
        seconds={seconds}
        note={t('cooldown.at', { time: formatTime(until, language) })}
      />
      <Button size="large" wide onClick={closeVoteDialog}>
        {t('cooldown.close')}
      </Button>
    </div>
  )
}
