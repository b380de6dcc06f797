import { Suspense, useRef, type ReactNode } from 'react'
import { useNear } from '@/lib/browser/use-near'

interface NearProps {
  /** The least height of what comes, which is kept for it. */
  height?: string
  children: ReactNode
}

/** What stands below the first screen: drawn, and its code fetched, when somebody comes near it. */
export function Near({ height, children }: NearProps) {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNear(place)
  const room = <div ref={place} style={{ minHeight: height }} />
  return isNear ? <Suspense fallback={room}>{children}</Suspense> : room
}
