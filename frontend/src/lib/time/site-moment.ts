/** Moments as the site's clock shows them (`yyyy-mm-ddThh:mm`, what a browser's field speaks), and back to UTC. */
import { config } from '@/lib/config'
import { zoneOffset } from '@/lib/i18n/format'

/** The clock at that moment; an empty text for what is none. */
export function siteClock(moment: string | number, timeZone: string = config.timezone): string {
  const instant = new Date(moment).getTime()
  if (Number.isNaN(instant)) return ''
  return new Date(instant + zoneOffset(instant, timeZone)).toISOString().slice(0, 16)
}

/**
 * The moment at which the clock shows that, in ISO 8601 and UTC; null for what is none. Of an hour that comes twice the
 * first is meant; one that the change of the clocks skips is read as if they had not changed yet.
 */
export function momentOfClock(clock: string, timeZone: string = config.timezone): string | null {
  const shown = Date.parse(`${clock}Z`)
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(clock) || Number.isNaN(shown)) return null
  // The 30th of February would be the 2nd of March.
  if (!new Date(shown).toISOString().startsWith(clock.slice(0, 16))) return null
  const before = shown - zoneOffset(shown - 86_400_000, timeZone)
  const after = shown - zoneOffset(shown + 86_400_000, timeZone)
  const fits = [before, after].find((instant) => instant + zoneOffset(instant, timeZone) === shown)
  return new Date(fits ?? before).toISOString()
}

/** When a calendar day begins; null for what is none. */
export function dayBegins(day: string): string | null {
  return momentOfClock(`${day}T00:00`)
}
