import { useState } from 'react'

/**
 * True from the first time on, so that an opened window stays mounted for its closing animation.
 */
export function useLatch(now: boolean): boolean {
  const [once, setOnce] = useState(now)
  if (now && !once) setOnce(true)
  return once || now
}
