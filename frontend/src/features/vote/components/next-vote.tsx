import { useTranslation } from '@/lib/i18n/i18n'
import { useNow } from '@/components/ui/use-now'
import { formatClock, formatTime } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './next-vote.module.css'

/**
 * A countdown to the next vote, and its time. Silent for screen readers, which would read it every
 * second.
 */
export function NextVote({ until }: { until: number }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const seconds = Math.max(0, Math.ceil((until - useNow()) / 1000))
  return (
    <p className={styles.next}>
      <span>{t('next.label')}</span>
      <time className={styles.clock} role="timer" aria-live="off" dateTime={`PT${seconds}S`}>
        {formatClock(seconds)}
      </time>
      <span>{t('next.at', { time: formatTime(until, language) })}</span>
    </p>
  )
}
