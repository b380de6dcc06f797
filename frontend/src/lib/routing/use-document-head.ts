/**
 * What the head says of the page that is shown, kept true while one moves through the app. The first page's was
 * written by the server from the same texts and rules (`crates/site-pages/src/head.rs`); its structured data,
 * keywords and feed are for those who ask the server, and go when another page is shown.
 */
import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { LANGUAGES, LANGUAGE_TAGS, type Language } from '@/lib/i18n/languages'
import { languageOfPath, switchLanguage } from './paths'
import { useLanguage } from '@/lib/i18n/use-language'

const CARD = '/pictures/social-card.jpg'
const SERVER_ONLY = 'script[type="application/ld+json"], meta[name="keywords"], link[type="application/atom+xml"]'

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
    if (title === undefined) return
    writeHead({
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

interface Written extends Omit<PageHead, 'canonical' | 'card' | 'part'> {
  description: string | undefined
  canonical: string
  card: string
  language: Language
  pathname: string
  part: number
}

/** The page the server described, and the part of its list. */
let described: string | null =
  window.location.pathname + Number(new URLSearchParams(window.location.search).get('page') ?? 1)

function writeHead({ title, description, canonical, card, indexed, language, pathname, part }: Written): void {
  document.title = title
  const url = address(canonical, languageOfPath(pathname) ?? language)
  for (const [name, content] of [
    ['og:title', title],
    ['og:url', url],
    ['og:locale', LANGUAGE_TAGS[language].replace('-', '_')],
    ['og:image', window.location.origin + card],
  ] as const)
    meta('property', name, content)
  if (description !== undefined) {
    meta('name', 'description', description)
    meta('property', 'og:description', description)
  }
  if (indexed) document.head.querySelector('meta[name="robots"]')?.remove()
  else meta('name', 'robots', 'noindex')
  link('canonical', null, url)
  for (const other of document.head.querySelectorAll('link[rel="alternate"][hreflang]')) other.remove()
  if (indexed) {
    for (const other of LANGUAGES) link('alternate', LANGUAGE_TAGS[other], address(canonical, other))
    link('alternate', 'x-default', address(canonical, 'fr'))
  }
  if (described !== pathname + part) {
    described = null
    for (const stale of document.head.querySelectorAll(SERVER_ONLY)) stale.remove()
  }
}

function address(path: string, language: Language): string {
  const { pathname, search } = new URL(path, window.location.origin)
  return window.location.origin + switchLanguage(pathname, language) + search
}

function meta(kind: 'name' | 'property', name: string, content: string): void {
  element('meta', { [kind]: name }).content = content
}

function link(rel: string, hreflang: string | null, href: string): void {
  element('link', hreflang === null ? { rel } : { rel, hreflang }).href = href
}

function element<Name extends 'meta' | 'link'>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[Name] {
  const selector = Object.entries(attributes).map(([key, value]) => `[${key}="${value}"]`)
  const found = document.head.querySelector<HTMLElementTagNameMap[Name]>(name + selector.join(''))
  if (found !== null) return found
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  document.head.append(made)
  return made
}
