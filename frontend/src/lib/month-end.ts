/** When the month's votes start over: the 1st at midnight in the site's own time zone, wherever the reader is. */

/** The first instant of the next calendar month of `timeZone`, in milliseconds. */
export function nextMonthStart(now: number, timeZone: string): number {
  const local = new Date(now + offsetOf(now, timeZone))
  const wanted = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1)
  // The offset at the target may differ from today's when the clocks change in between.
  return wanted - offsetOf(wanted - offsetOf(wanted, timeZone), timeZone)
}

/** What has to be added to UTC to read the zone's clock at that instant. */
function offsetOf(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((candidate) => candidate.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}
