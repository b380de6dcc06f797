import { Suspense, useRef, type ReactNode } from 'react'
import { useNear } from '@/lib/browser/use-near'

interface NearProps {
  /** The minimum height that is reserved for the content. */
  height?: string
  children: ReactNode
}

/**
 * Content below the first screen: its code is fetched, and it is drawn, when it comes near the
 * viewport.
 */
export function Near({ height, children }: NearProps) {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNear(place)
  const room = <div ref={place} style={{ minHeight: height }} />
  return isNear ? <Suspense fallback={room}>{children}</Suspense> : room
}
