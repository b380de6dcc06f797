/** Whether the event has begun; events that have ended are not listed. */
export function isLive(event: { start_date: string }, now: number): boolean {
  return Date.parse(event.start_date) <= now
}
