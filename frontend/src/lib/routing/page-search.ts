/**
 * Whether a page's own search is in the viewport: the header hides its own then, so that there is
 * one at a time.
 */
import { useEffect, useLayoutEffect, type RefObject } from 'react'
import { createStore, useStore } from '@/lib/browser/store'

const inSight = createStore(false)

export function usePageSearchInSight(): boolean {
  return useStore(inSight)
}

/**
 * Observes a page's own search. The part under the header, which is as tall as the margin, does not
 * count.
 */
export function usePageSearch(field: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    inSight.set(true)
    return () => inSight.set(false)
  }, [])
  // After the paint: measuring earlier would force a layout of the whole page.
  useEffect(() => {
    const { current: element } = field
    if (element === null) return
    const header = element.ownerDocument.querySelector('header')?.offsetHeight ?? 0
    const observer = new IntersectionObserver(([entry]) => inSight.set(entry?.isIntersecting ?? true), {
      rootMargin: `-${header}px 0px 0px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [field])
}
