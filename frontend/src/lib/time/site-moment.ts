/**
 * Conversion of moments between UTC and the site's local time (`yyyy-mm-ddThh:mm`, the format of a
 * browser's field).
 */
import { config } from '@/lib/config'
import { zoneOffset } from '@/lib/i18n/format'

/** The local time of a moment; an empty text if invalid. */
export function siteClock(moment: string | number, timeZone: string = config.timezone): string {
  const instant = new Date(moment).getTime()
  if (Number.isNaN(instant)) return ''
  return new Date(instant + zoneOffset(instant, timeZone)).toISOString().slice(0, 16)
}

/**
 * The moment of a local time, in ISO 8601 and UTC; null if invalid. An hour that occurs twice means
 * the first one; a skipped hour is read with the offset before the change.
 */
export function momentOfClock(clock: string, timeZone: string = config.timezone): string | null {
  const localTime = Date.parse(`${clock}Z`)
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(clock) || Number.isNaN(localTime)) return null
  // Rejects the 30th of February, which would become the 2nd of March.
  if (!new Date(localTime).toISOString().startsWith(clock.slice(0, 16))) return null
  const before = localTime - zoneOffset(localTime - 86_400_000, timeZone)
  const after = localTime - zoneOffset(localTime + 86_400_000, timeZone)
  const fits = [before, after].find((instant) => instant + zoneOffset(instant, timeZone) === localTime)
  return new Date(fits ?? before).toISOString()
}

/** When a calendar day begins; null if invalid. */
export function dayBegins(day: string): string | null {
  return momentOfClock(`${day}T00:00`)
}
