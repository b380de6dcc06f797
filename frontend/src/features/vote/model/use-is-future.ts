import { useEffect, useState } from 'react'

/** The longest delay of a browser's timer. */
const LONGEST = 2 ** 31 - 1

/** Whether a moment (milliseconds) is in the future. Renders again only when it passes. */
export function useIsFuture(moment: number | null): boolean {
  const [now, setNow] = useState(() => Date.now())
  const isAhead = moment !== null && moment > now
  useEffect(() => {
    if (!isAhead) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(Math.max(moment - Date.now(), 0), LONGEST))
    return () => clearTimeout(timer)
  }, [moment, isAhead])
  return isAhead
}
