/**
 * Keeps the head of the document up to date during navigation. The server wrote the first page's
 * head from the same texts and rules (`crates/site-pages/src/head.rs`); its structured data,
 * keywords and feed are for crawlers, and are removed with the next page.
 */
import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { lazyModule, loadWithRetry } from '@/lib/browser/lazy'
import { useLanguage } from '@/lib/i18n/use-language'
import type { HeadContent } from './write-head'

const writer = lazyModule(() => import('./write-head'))

const CARD = '/pictures/social-card.jpg'

export interface PageHead {
  title: string
  description?: string
  /** The canonical address, where several lead to the page; the page's own by default. */
  canonical?: string | undefined
  /** The path of the page's own social card, if there is one. */
  card?: string | undefined
  /** False asks search engines not to index the page. */
  indexed?: boolean
  /** The page of a list, from 1. */
  part?: number
}

/** Null leaves the head to another component. */
export function useDocumentHead(head: PageHead | null): void {
  const { pathname } = useLocation()
  const language = useLanguage()
  const { title, description, canonical = pathname, card = CARD, indexed = true, part = 1 } = head ?? {}
  // A layout effect, so that the title is set before the new page is announced.
  useLayoutEffect(() => {
    // The writer is loaded early, so that the next page's head is written at once.
    if (title === undefined) return void loadWithRetry(writer)
    write({
      title,
      description: description?.trim() === '' ? title : description,
      canonical: part === 1 ? canonical : `${canonical}${canonical.includes('?') ? '&' : '?'}page=${part}`,
      card,
      indexed,
      language,
      pathname,
      part,
    })
  }, [title, description, canonical, card, indexed, language, pathname, part])
}

/** A page, and the page number of its list. */
export const placeOf = (pathname: string, search: string): string =>
  pathname + Number(new URLSearchParams(search).get('page') ?? 1)

/** The page whose head the server wrote. */
export const DESCRIBED = placeOf(window.location.pathname, window.location.search)

/** Synchronous if possible, so that the title is set before the new page is announced. */
function write(head: HeadContent): void {
  if (writer.loaded) writer.loaded.writeHead(DESCRIBED, head)
  else void loadWithRetry(writer).then(({ writeHead }) => writeHead(DESCRIBED, head))
}
