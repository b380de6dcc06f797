import { useEffect, useState, type RefObject } from 'react'

/** Whether an element is, or was, near the screen or above it. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (isNear || element.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      // What stands above the screen counts, too: its height decides where a reader who comes back finds the rest.
      { rootMargin: '1000000px 400px 400px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
