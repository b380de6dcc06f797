import { useTranslation } from '@/lib/i18n/i18n'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { useNow } from '@/components/ui/use-now'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { config } from '@/lib/config'
import { formatDuration, splitDuration } from '@/lib/i18n/format'
import { nextMonthStart } from '@/lib/time/month-end'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './monthly-countdown.module.css'

const SECOND = 1000

/**
 * A countdown to the end of the month's ranking; red on the last day. `line` adds words for what it
 * counts.
 */
export function MonthlyCountdown({ variant }: { variant: 'mini' | 'compact' | 'line' | 'full' }) {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  // Only the full variant shows seconds; more frequent renders would slow down other drawing.
  const now = useNow(variant === 'full' ? SECOND : 10 * SECOND)
  const left = Math.max(0, Math.floor((nextMonthStart(now, config.timezone, config.monthEnd) - now) / 1000))
  const parts = splitDuration(left)
  const last = parts.days === 0
  const short = last ? t('countdown.last', parts) : t('countdown.short', parts)
  const label = t('countdown.label', { span: formatDuration(left, language) })

  if (variant !== 'full')
    return (
      <span
        className={classes(styles.small, variant === 'compact' && styles.compact, last && styles.last)}
        data-tooltip={t('countdown.hint')}
      >
        <Icon name="clock" size={16} />
        <span aria-hidden="true">{variant === 'line' ? t('countdown.line', { left: short }) : short}</span>
        <VisuallyHidden>{label}</VisuallyHidden>
      </span>
    )
  return (
    <div className={classes(styles.full, last && styles.last)} role="timer" aria-label={label}>
      <p className={styles.title} aria-hidden="true">
        {t('countdown.title')}
      </p>
      <div className={styles.figures} aria-hidden="true">
        {(['days', 'hours', 'minutes', 'seconds'] as const).map((unit) => (
          <span key={unit} className={styles.part}>
            <span className={styles.figure}>{String(parts[unit]).padStart(2, '0')}</span>
            <span className={styles.unit}>{t(`countdown.${unit}`, { count: parts[unit] })}</span>
          </span>
        ))}
      </div>
    </div>
  )
}
