/**
 * A calendar that selects a range of days, some of which may be unavailable. Days are `yyyy-mm-dd`
 * in the site's time zone, whatever the reader's. Large: import lazily.
 */
import { DayPicker, type DateRange } from 'react-day-picker'
import { enUS, es, fr } from 'react-day-picker/locale'
import { formatDate, formatWeekday } from '@/lib/i18n/format'
import type { Language } from '@/lib/i18n/languages'
import { daysAfter, siteToday } from '@/lib/time/site-day'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './range-calendar.module.css'

export interface DayRange {
  from: string
  to: string
}

interface RangeCalendarProps {
  /** The accessible name of the calendar. */
  label: string
  value: DayRange | null
  onChange: (range: DayRange | null) => void
  /** Ranges that are taken, both ends included. A selected range cannot span them. */
  blocked?: readonly DayRange[]
  /** The first available day; by default today in the site's time zone. */
  first?: string
  last?: string
  /** The maximum number of days of a range. */
  most?: number
}

const LOCALES = { fr, en: enUS, es } as const satisfies Record<Language, unknown>

export function RangeCalendar({
  label,
  value,
  onChange,
  blocked = [],
  first = siteToday(),
  last,
  most,
}: RangeCalendarProps) {
  const language = useLanguage()
  const { t } = useTranslation('ui')
  // Past days are shown as past, even if they were taken.
  const taken = blocked
    .filter(({ to }) => to >= first)
    .map(({ from, to }) => ({ from: dateOf(from < first ? first : from), to: dateOf(to) }))
  const end = last === undefined ? {} : { endMonth: dateOf(last) }
  return (
    <div role="group" aria-label={label} className={styles.frame}>
      <DayPicker
        mode="range"
        locale={LOCALES[language]}
        className={styles.calendar}
        classNames={{
          months: styles.months,
          month_caption: styles.caption,
          nav: styles.nav,
          button_previous: styles.step,
          button_next: styles.step,
          chevron: styles.chevron,
          month_grid: styles.grid,
          weekday: styles.weekday,
          day: styles.day,
          day_button: styles.button,
          today: styles.today,
          outside: styles.outside,
          disabled: styles.disabled,
          range_start: styles.edge,
          range_end: styles.edge,
          range_middle: styles.middle,
          selected: styles.selected,
        }}
        // The accessible name contains the visible figure as a word, for people who use voice
        // control.
        labels={{
          labelDayButton: (date, { taken: isTaken }) =>
            `${formatWeekday(dayOf(date), language)} ${labelDate(dayOf(date), language)}${isTaken ? `, ${t('calendar.taken')}` : ''}`,
        }}
        startMonth={dateOf(first)}
        {...end}
        defaultMonth={dateOf(value?.from ?? firstFree(first, blocked))}
        disabled={[{ before: dateOf(first) }, ...(last === undefined ? [] : [{ after: dateOf(last) }]), ...taken]}
        modifiers={{ taken }}
        modifiersClassNames={{ taken: styles.taken ?? '' }}
        excludeDisabled
        {...(most !== undefined && { max: most - 1 })}
        selected={value ? { from: dateOf(value.from), to: dateOf(value.to) } : undefined}
        onSelect={(range: DateRange | undefined) => onChange(rangeOf(range))}
      />
      {blocked.length > 0 && (
        <ul className={styles.legend}>
          {(['free', 'taken', 'past'] as const).map((state) => (
            <li key={state}>
              <span className={styles[`${state}Mark`]} aria-hidden="true">
                1
              </span>
              {t(`calendar.${state}`)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The first available day from a given one on. */
function firstFree(first: string, blocked: readonly DayRange[]): string {
  const span = blocked.find(({ from, to }) => from <= first && first <= to)
  return span === undefined ? first : firstFree(daysAfter(span.to, 1), blocked)
}

/** `1 décembre 2026` instead of « 1er »: the button shows `1`. */
function labelDate(day: string, language: Language): string {
  return formatDate(day, language).replace(/^1er\b/, '1')
}

/** Noon of that day in the reader's time zone, because the picker counts in local days. */
function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

function dayOf(date: Date): string {
  const pad = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** A single selected day is a range of one day. */
function rangeOf(range: DateRange | undefined): DayRange | null {
  if (range?.from === undefined) return null
  return { from: dayOf(range.from), to: dayOf(range.to ?? range.from) }
}
