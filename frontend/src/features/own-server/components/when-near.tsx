import { Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

interface WhenNearProps {
  /** Stands in the meantime. */
  fallback: ReactNode
  /** Drawn before it is near only once somebody is in the form. */
  onFocus?: boolean
  children: ReactNode
}

/** How far below the screen a part of a form is fetched. */
const AHEAD = '400px'

/** A part whose code comes when somebody begins to fill in the form, or comes near it. */
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
