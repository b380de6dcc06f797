import { useEffect, useState } from 'react'

/** The present, in milliseconds, renewed every `period` (one second unless told). */
export function useNow(period = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), period)
    return () => clearInterval(timer)
  }, [period])
  return now
}
