import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * For a message that replaces a long form, whose button was at the bottom: the page is shown from
 * its top, and the message's heading gets the focus. The reference belongs on an element around the
 * heading.
 */
export function usePageTop<T extends HTMLElement>(): RefObject<T | null> {
  const place = useRef<T>(null)
  useLayoutEffect(() => {
    const heading = place.current?.querySelector<HTMLElement>('h1, h2')
    window.scrollTo(0, 0)
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [])
  return place
}
