import { useEffect, useState } from 'react'

/** The longest delay of a browser's timer. */
const LONGEST = 2 ** 31 - 1

/** The current time in milliseconds, updated only when the next of these moments has passed. */
export function useNowPast(moments: readonly number[]): number {
  const [now, setNow] = useState(() => Date.now())
  const next = Math.min(...moments.filter((moment) => moment > now))
  useEffect(() => {
    if (!Number.isFinite(next)) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(Math.max(next - Date.now(), 0), LONGEST))
    return () => clearTimeout(timer)
  }, [next])
  return now
}
