import { useEffect, useState, type RefObject } from 'react'

/** Whether any part of an element is in the viewport; true until it is known. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [inSight, setInSight] = useState(true)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting ?? true))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return inSight
}
