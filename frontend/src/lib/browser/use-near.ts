import { useEffect, useState, type RefObject } from 'react'

/** Whether an element is, or was, near the screen or above it. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (isNear || element.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      // Elements above the screen count too: their height decides the scroll position on return.
      { rootMargin: '1000000px 400px 400px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
