/**
 * Writes the head of a page. Loaded once the first page is drawn, whose head the server has
 * written.
 */
import { LANGUAGES, LANGUAGE_TAGS, type Language } from '@/lib/i18n/languages'
import { languageOfPath, switchLanguage } from './paths'

const SERVER_ONLY = 'script[type="application/ld+json"], meta[name="keywords"], link[type="application/atom+xml"]'

/** A page without a description removes that of the page before. */
const DESCRIPTIONS = 'meta[name="description"], meta[property="og:description"]'

export interface HeadContent {
  title: string
  description: string | undefined
  indexed: boolean
  canonical: string
  card: string
  language: Language
  pathname: string
  part: number
}

/** Whether the page that the server described is still shown. */
let isDescribed = true

/** `described` is the page that the server described, with the page number of its list. */
export function writeHead(
  described: string,
  { title, description, canonical, card, indexed, language, pathname, part }: HeadContent,
): void {
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
  isDescribed &&= described === pathname + part
  if (isDescribed) return
  const stale = description === undefined ? `${SERVER_ONLY}, ${DESCRIPTIONS}` : SERVER_ONLY
  for (const each of document.head.querySelectorAll(stale)) each.remove()
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
