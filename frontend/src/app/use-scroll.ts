/**
 * Where a page is looked at: a new one from its top, a fragment from its element, one that was left where it was left.
 * The browser's own restoration is off: it runs before the rows are there.
 */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useNavigationType, type Location } from 'react-router'
import { keepPlaces, notePlace, placeOf } from '@/lib/routing/scroll-history'
import { keepsPlace } from './use-address-rules'

/** What a reader does who does not want to be moved any more. */
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** `shown` is what is drawn, which may lag behind the address; `first` is where the visit began. */
export function useScroll(shown: Location, first: Location): void {
  const kind = useNavigationType()
  // Whoever has gone on before this was fetched has left that page.
  const before = useRef<Location | null>(first.key === shown.key ? null : first)
  const { key } = shown

  useLayoutEffect(() => {
    const last = before.current
    before.current = shown
    if (last?.key === key || keepsPlace(shown.state)) return
    if (kind === NavigationType.Pop) {
      const top = placeOf(key)
      // A first page that its reader has scrolled before this came stays where it is.
      if (top !== null && last === null && window.scrollY > 0) return
      if (top !== null) return moveWhenRoom(() => top, 'none')
    }
    const id = shown.hash.slice(1)
    if (id !== '') return moveWhenRoom(() => topOf(id), 'auto')
    if (last !== null && last.pathname !== shown.pathname) window.scrollTo(0, 0)
  }, [key, kind, shown])

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

/** Where the page has to stand for an element to be at its top, clear of what stays in sight. */
function topOf(id: string): number | null {
  const element = document.getElementById(id)
  if (element === null) return null
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0
  return Math.max(0, element.getBoundingClientRect().top + window.scrollY - margin)
}

/**
 * Moves as soon as the page is long enough, and stays there while it grows, until its reader moves. An element stays in
 * sight by the browser's own anchor; a place does without, since what stands there before the rows come is none.
 */
function moveWhenRoom(wanted: () => number | null, anchor: 'auto' | 'none'): () => void {
  const { style } = document.documentElement
  const stop = (): void => {
    observer.disconnect()
    style.removeProperty('overflow-anchor')
    for (const move of OWN_MOVES) window.removeEventListener(move, stop)
  }
  const move = (): void => {
    const top = wanted()
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
