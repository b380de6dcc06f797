/**
 * Tells screen reader users that another page is shown: once its heading is drawn, it gets the
 * focus and the title is announced. The focus stays where it is if the reader has already begun to
 * do something.
 */
import { useEffect, useRef, useState } from 'react'
import type { Location } from 'react-router'
import { keepsPlace } from './use-address-rules'

const BUSY = ['pointerdown', 'keydown'] as const

/** The text to announce, after the first page of the visit. */
export function useArrival({ pathname, state }: Location, first: Location): string {
  const [announced, announce] = useState('')
  const before = useRef(first.pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (keepsPlace(state)) return
    return whenHeaded((heading) => {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
      announce(document.title)
    })
  }, [pathname, state])
  return announced
}

function whenHeaded(then: (heading: HTMLElement) => void): () => void {
  const content = document.getElementById('content')
  const check = (): boolean => {
    const heading = content?.querySelector<HTMLElement>('h1')
    if (!heading) return false
    stop()
    then(heading)
    return true
  }
  const observer = new MutationObserver(check)
  const stop = (): void => {
    observer.disconnect()
    for (const kind of BUSY) window.removeEventListener(kind, stop)
  }
  if (!check() && content) {
    observer.observe(content, { childList: true, subtree: true })
    for (const kind of BUSY) window.addEventListener(kind, stop)
  }
  return stop
}
