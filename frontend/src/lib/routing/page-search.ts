/** Whether a page's own search is on the screen: the header's makes way for it, so that there is one at a time. */
import { useEffect, useLayoutEffect, type RefObject } from 'react'
import { createStore, useStore } from '@/lib/browser/store'

const inSight = createStore(false)

export function usePageSearchInSight(): boolean {
  return useStore(inSight)
}

/** Tells where a page's own search is. What lies under the header, which is as tall as the margin, is not seen. */
export function usePageSearch(field: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    inSight.set(true)
    return () => inSight.set(false)
  }, [])
  // Once the page is painted: asked for earlier, a height has all of it laid out at once.
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
