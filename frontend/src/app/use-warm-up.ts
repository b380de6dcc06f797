/**
 * Prefetches the code, texts and rows of a page when its link is hovered, focused, touched or
 * followed. The listeners are on the document, so they apply to every link.
 */
import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect } from 'react'
import { isSlow } from '@/lib/browser/connection'
import { prepare, textsAt } from './router'

/**
 * Milliseconds for which a pointer or the focus must rest on a link: passing over it prefetches
 * nothing.
 */
const REST = 60

export function useWarmUp(queries: QueryClient): void {
  useEffect(() => {
    let timer: number | undefined
    let last = ''
    const warm = (link: HTMLAnchorElement): void => {
      if (link.href === last) return
      last = link.href
      // A failed prefetch is repeated when the page is opened.
      prepare(queries, link.pathname, link.search).catch(() => {})
      void i18next.loadNamespaces(['seo', ...textsAt(link.pathname)])
    }
    const soon = ({ target }: { target: EventTarget | null }): void => {
      clearTimeout(timer)
      const link = linkTo(target)
      if (link !== null && !isSlow()) timer = window.setTimeout(warm, REST, link)
    }
    const now = ({ target }: Event): void => {
      const link = linkTo(target)
      if (link !== null) warm(link)
    }
    const passive = { passive: true }
    for (const kind of ['pointerover', 'focusin']) document.addEventListener(kind, soon, passive)
    for (const kind of ['touchstart', 'mousedown', 'click']) document.addEventListener(kind, now, passive)
    // This module is fetched after the page is drawn, and the pointer may already rest on a link.
    soon({ target: document.querySelector('a[href]:hover') })
    return () => {
      clearTimeout(timer)
      for (const kind of ['pointerover', 'focusin']) document.removeEventListener(kind, soon)
      for (const kind of ['touchstart', 'mousedown', 'click']) document.removeEventListener(kind, now)
    }
  }, [queries])
}

/** The internal link in which an event happened, unless it leads to the current page. */
function linkTo(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.origin !== window.location.origin || link.target === '_blank') return null
  return link.pathname === window.location.pathname ? null : link
}
