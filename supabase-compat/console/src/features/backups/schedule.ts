/** The schedule in the format of a form. */
import type { BackupOverview, NewSchedule, Schedule, Target } from './api'

export interface ScheduleFields {
  rhythm: 'off' | 'day' | 'week'
  weekday: string
  /** `03:30`. */
  time: string
  place: Target
  keepCount: number | string
  keepDays: number | string
}

const pad = (value: number) => String(value).padStart(2, '0')

export const timeOf = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`

export function fieldsOf({ schedule, targets }: Pick<BackupOverview, 'schedule' | 'targets'>): ScheduleFields {
  return {
    rhythm: schedule?.rhythm ?? 'off',
    weekday: String(schedule?.weekday ?? 1),
    time: timeOf(schedule?.minute ?? 180),
    place: schedule?.place ?? targets.at(-1)?.place ?? 'folder',
    keepCount: schedule ? (schedule.keep_count ?? '') : 14,
    keepDays: schedule?.keep_days ?? '',
  }
}

/** The minute of the day; null for an invalid time. */
export function minuteOf(time: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time) ?? []
  return hours && minutes && Number(hours) < 24 && Number(minutes) < 60 ? Number(hours) * 60 + Number(minutes) : null
}

/** The request; an empty number means no limit. */
export function scheduleOf(fields: ScheduleFields, timeZone: string): NewSchedule {
  const { rhythm, weekday, time, place, keepCount, keepDays } = fields
  if (rhythm === 'off') return { rhythm }
  const limit = (value: number | string) => (value === '' ? null : Number(value))
  return {
    rhythm,
    weekday: Number(weekday),
    minute: minuteOf(time) ?? 0,
    time_zone: timeZone,
    place,
    keep_count: limit(keepCount),
    keep_days: limit(keepDays),
  }
}

/** The time zone of the schedule, or the reader's own without one. */
export const zoneOf = (schedule: Schedule | null) =>
  schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** The names of Monday to Sunday in a language. */
export function weekdaysIn(language: string): { value: string; label: string }[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  // The 1st of January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, day) => ({
    value: String(day + 1),
    label: format.format(Date.UTC(2024, 0, day + 1)),
  }))
}
