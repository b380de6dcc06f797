/**
 * What the head says of the page that is shown, kept true while one moves through the app. The first page's was
 * written by the server from the same texts and rules (`crates/site-pages/src/head.rs`); its structured data,
 * keywords and feed are for those who ask the server, and go when another page is shown.
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
  /** The one address of what is shown, where several lead to it; the page's own unless told. */
  canonical?: string | undefined
  /** The path of its social card, where it has one of its own. */
  card?: string | undefined
  /** False keeps search engines away. */
  indexed?: boolean
  /** Which part of a list it is, from 1. */
  part?: number
}

/** Null leaves the head to somebody who knows better. */
export function useDocumentHead(head: PageHead | null): void {
  const { pathname } = useLocation()
  const language = useLanguage()
  const { title, description, canonical = pathname, card = CARD, indexed = true, part = 1 } = head ?? {}
  // Before anybody is told of the new page, its title is there.
  useLayoutEffect(() => {
    // The next page's head is written at once.
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

/** A page, and the part of its list. */
export const placeOf = (pathname: string, search: string): string =>
  pathname + Number(new URLSearchParams(search).get('page') ?? 1)

/** The one the server described. */
export const DESCRIBED = placeOf(window.location.pathname, window.location.search)

/** At once where it can be, so that whoever is told of a page next finds its title. */
function write(head: HeadContent): void {
  if (writer.loaded) writer.loaded.writeHead(DESCRIBED, head)
  else void loadWithRetry(writer).then(({ writeHead }) => writeHead(DESCRIBED, head))
}
