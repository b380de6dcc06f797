import { Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

interface WhenNearProps {
  /** Shown until the content is loaded. */
  fallback: ReactNode
  /** Also draws the content as soon as the form gets the focus. */
  onFocus?: boolean
  children: ReactNode
}

/** The distance below the viewport at which a part of a form is loaded. */
const AHEAD = '400px'

/**
 * Content whose code is loaded when the form gets the focus, or when the content comes near the
 * viewport.
 */
export function WhenNear({ fallback, onFocus = false, children }: WhenNearProps) {
  const place = useRef<HTMLDivElement>(null)
  const isWanted = useIsNear(place, !onFocus)
  return <div ref={place}>{isWanted ? <Suspense fallback={fallback}>{children}</Suspense> : fallback}</div>
}

function useIsNear(place: RefObject<HTMLElement | null>, whenSeen: boolean): boolean {
  const [isWanted, setWanted] = useState(whenSeen && typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    const element = place.current
    const form = element?.closest('form')
    if (isWanted || !element) return
    const want = (): void => setWanted(true)
    const seen = whenSeen
      ? new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && want(), {
          rootMargin: AHEAD,
        })
      : null
    seen?.observe(element)
    form?.addEventListener('focusin', want)
    return () => {
      seen?.disconnect()
      form?.removeEventListener('focusin', want)
    }
  }, [place, isWanted, whenSeen])
  return isWanted
}
