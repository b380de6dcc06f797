import { useWatch } from 'react-hook-form'
import { RangeCalendar } from '@/components/dates/range-calendar'
import { useField } from '@/components/form/use-field'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { PanelFailure } from '@/components/ui/panel-failure'
import { useNow } from '@/components/ui/use-now'
import { formatDate, formatDay } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { daysAfter, daysIn, siteToday } from '@/lib/time/site-day'
import { useLanguage } from '@/lib/i18n/use-language'
import { MOST_DAYS, daysLeft, overlaps, takenAt, type Days, type TakenDays } from '../model/booking'
import styles from './booking-form.module.css'

interface DaysFieldProps {
  takenDays: readonly TakenDays[]
  isUnreadable: boolean
  onRetry: () => void
}

/**
 * The days, chosen among the free ones of the position. If chosen days are taken meanwhile, the
 * remaining ones stay chosen.
 */
export function DaysField({ takenDays, isUnreadable, onRetry }: DaysFieldProps) {
  const { t } = useTranslation('arcade')
  const language = useLanguage()
  const today = siteToday(useNow(60_000))
  const label = t('field.days')
  const field = useField<Days | null>({ name: 'days', label })
  const position = useWatch<{ position: string }, 'position'>({ name: 'position' })
  const blocked = takenAt(takenDays, position)
  const days = field.value
  const isLost = days !== null && blocked.some((span) => overlaps(span, days))
  const span = ({ from, to }: Days, format: typeof formatDay): string =>
    t('span', { from: format(from, language), to: format(to, language) })
  return (
    <Field {...field.frame} error={field.frame.error ?? (isLost ? t('refusal.taken') : undefined)} group="group">
      {() => (
        <div className={styles.taken}>
          {isUnreadable && <PanelFailure text={t('daysUnreadable')} onRetry={onRetry} />}
          <RangeCalendar
            // Another position has other free days; the key resets the shown month to the
            // selection.
            key={`${position} ${blocked.length}`}
            label={label}
            value={isLost ? null : days}
            onChange={field.change}
            blocked={blocked}
            first={today}
            last={daysAfter(today, MOST_DAYS)}
            most={MOST_DAYS}
          />
          {days !== null && !isLost && (
            <p className={styles.chosen} aria-live="polite">
              {t('chosen', { count: daysIn(days.from, days.to), span: span(days, formatDate) })}
            </p>
          )}
          {isLost && (
            <FreeDays days={daysLeft(days, blocked)} onChoose={field.change} wordsOf={(one) => span(one, formatDay)} />
          )}
        </div>
      )}
    </Field>
  )
}

interface FreeDaysProps {
  days: readonly Days[]
  wordsOf: (days: Days) => string
  onChoose: (days: Days) => void
}

function FreeDays({ days: freeDays, wordsOf, onChoose }: FreeDaysProps) {
  const { t } = useTranslation('arcade')
  if (freeDays.length === 0) return <p>{t('left.none')}</p>
  return (
    <>
      <p>{t('left.some')}</p>
      <div className={styles.left}>
        {freeDays.map((days) => (
          <Button key={days.from} size="small" icon="calendar" onClick={() => onChoose(days)}>
            {wordsOf(days)}
          </Button>
        ))}
      </div>
    </>
  )
}
