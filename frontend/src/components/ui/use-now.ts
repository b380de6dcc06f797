import { useEffect, useState } from 'react'
import { every } from '@/lib/time/ticker'

/** The present, in milliseconds, renewed every `period` (one second unless told); null looks once and never again. */
export function useNow(period: number | null = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => (period === null ? undefined : every(period, setNow)), [period])
  return now
}
