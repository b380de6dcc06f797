/**
 * Scroll positions: a new page starts at its top, a fragment at its element, a page in the history
 * where it was left. The browser's own restoration is off, because it runs before the rows are
 * there.
 */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useNavigationType, type Location } from 'react-router'
import { keepPlaces, notePlace, placeOf } from '@/lib/routing/scroll-history'
import { keepsPlace } from './use-address-rules'

/** Events by which a reader takes over the scrolling. */
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * `current` is the drawn location, which may lag behind the address; `first` is where the visit
 * began.
 */
export function useScroll(current: Location, first: Location): void {
  const kind = useNavigationType()
  // If the reader navigated before this module was fetched, the first page counts as left.
  const before = useRef<Location | null>(first.key === current.key ? null : first)
  const { key } = current

  useLayoutEffect(() => {
    const last = before.current
    before.current = current
    if (last?.key === key || keepsPlace(current.state)) return
    if (kind === NavigationType.Pop) {
      const top = placeOf(key)
      // A first page that its reader scrolled before this module ran stays where it is.
      if (top !== null && last === null && window.scrollY > 0) return
      if (top !== null) return moveWhenRoom(() => top, 'none')
    }
    const id = current.hash.slice(1)
    if (id !== '') return moveWhenRoom(() => topOf(id), 'auto')
    if (last !== null && last.pathname !== current.pathname) window.scrollTo(0, 0)
  }, [key, kind, current])

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const note = (): void => notePlace(before.current?.key ?? key, window.scrollY)
    const leave = (): void => keepPlaces()
    window.addEventListener('scroll', note, { passive: true })
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('scroll', note)
      window.removeEventListener('pagehide', leave)
    }
  }, [key])
}

/** The scroll position that puts an element at the top of the window, below the sticky header. */
function topOf(id: string): number | null {
  const element = document.getElementById(id)
  if (element === null) return null
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0
  return Math.max(0, element.getBoundingClientRect().top + window.scrollY - margin)
}

/**
 * Scrolls as soon as the page is long enough, and keeps the position while the page grows, until
 * the reader scrolls. For an element the browser's scroll anchoring stays on; for a position it is
 * off, because before the rows arrive there is nothing to anchor to.
 */
function moveWhenRoom(targetOf: () => number | null, anchor: 'auto' | 'none'): () => void {
  const { style } = document.documentElement
  const stop = (): void => {
    observer.disconnect()
    style.removeProperty('overflow-anchor')
    for (const move of OWN_MOVES) window.removeEventListener(move, stop)
  }
  const move = (): void => {
    const top = targetOf()
    if (top === null) return
    window.scrollTo(0, top)
    if (Math.abs(window.scrollY - top) <= 1) observer.disconnect()
  }
  const observer = new ResizeObserver(move)
  style.setProperty('overflow-anchor', anchor)
  observer.observe(document.body)
  for (const kind of OWN_MOVES) window.addEventListener(kind, stop, { passive: true })
  move()
  return stop
}
