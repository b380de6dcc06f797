import { useEffect, useState } from 'react'

/** The longest wait a browser's timer can be set to. */
const LONGEST = 2 ** 31 - 1

/** Whether a moment (milliseconds) is yet to come. Renders when it passes, and not before. */
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
