/**
 * Fetches the code, texts and rows of a page while its link is pointed at, focused or touched, and again when it is
 * followed. Listens at the document, so that it holds for every link there is.
 */
import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect } from 'react'
import { isSlow } from '@/lib/browser/connection'
import { prepare, textsAt } from './router'

/** How long a pointer or the focus has to rest, in milliseconds: who only passes wants nothing. */
const REST = 60

export function useWarmUp(queries: QueryClient): void {
  useEffect(() => {
    let timer: number | undefined
    let last = ''
    const warm = (link: HTMLAnchorElement): void => {
      if (link.href === last) return
      last = link.href
      // What does not come now is asked for again when it is wanted.
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
    // This is fetched behind the page, and the pointer may rest on a link by then.
    soon({ target: document.querySelector('a[href]:hover') })
    return () => {
      clearTimeout(timer)
      for (const kind of ['pointerover', 'focusin']) document.removeEventListener(kind, soon)
      for (const kind of ['touchstart', 'mousedown', 'click']) document.removeEventListener(kind, now)
    }
  }, [queries])
}

/** The link of ours an event happened in, unless it leads to where one is. */
function linkTo(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.origin !== window.location.origin || link.target === '_blank') return null
  return link.pathname === window.location.pathname ? null : link
}
