import { useState } from 'react'

/** True from the first time on, so that what was opened can also close gracefully. */
export function useLatch(now: boolean): boolean {
  const [once, setOnce] = useState(now)
  if (now && !once) setOnce(true)
  return once || now
}
