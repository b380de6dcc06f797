import { useEffect, useState } from 'react'
import { every } from '@/lib/time/ticker'

/**
 * The current time in milliseconds, updated every `period` (one second by default); null never
 * updates it.
 */
export function useNow(period: number | null = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => (period === null ? undefined : every(period, setNow)), [period])
  return now
}
