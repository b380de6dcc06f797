import { beforeEach, expect, it, vi } from 'vitest'
import type { HeadContent } from './write-head'

const SITE = window.location.origin
const PAGE: HeadContent = {
  title: 'Rust',
  description: 'Les serveurs Rust.',
  indexed: true,
  canonical: '/game/rust',
  card: '/cards/fr/game/rust.png',
  language: 'fr',
  pathname: '/game/rust',
  part: 1,
}
const SERVED = `
  <script type="application/ld+json">{}</script><meta name="keywords" content="rust">
  <link rel="alternate" type="application/atom+xml" href="/feed">
  <meta name="description" content="Before"><meta property="og:title" content="Before">
  <link rel="canonical" href="${SITE}/before"><link rel="alternate" hreflang="de" href="${SITE}/de">`

/** The module stores which page the server described, so each test imports it anew. */
async function write(...pages: (Partial<HeadContent> & { described?: string })[]): Promise<void> {
  vi.resetModules()
  const { writeHead } = await import('./write-head')
  for (const { described = '/game/rust1', ...page } of pages) writeHead(described, { ...PAGE, ...page })
}

const content = (selector: string) => document.head.querySelector(selector)?.getAttribute('content')
const href = (selector: string) => document.head.querySelector(selector)?.getAttribute('href')
const alternates = () =>
  [...document.head.querySelectorAll('link[rel="alternate"][hreflang]')].map((link) => [
    link.getAttribute('hreflang'),
    link.getAttribute('href')?.replace(SITE, ''),
  ])

beforeEach(() => void (document.head.innerHTML = SERVED))

it('replaces title, description and social card', async () => {
  await write({})
  expect(document.title).toBe('Rust')
  expect(content('meta[name="description"]')).toBe('Les serveurs Rust.')
  expect(content('meta[property="og:description"]')).toBe('Les serveurs Rust.')
  expect(content('meta[property="og:image"]')).toBe(`${SITE}/cards/fr/game/rust.png`)
  expect(document.head.querySelectorAll('meta[property="og:title"]')).toHaveLength(1)
})

it.each([
  ['fr', '/game/rust', 'fr_FR', '/game/rust'],
  ['en', '/en/game/rust', 'en_US', '/en/game/rust'],
  ['es', '/es/game/rust', 'es_ES', '/es/game/rust'],
] as const)('names the address of the page in %s', async (language, pathname, locale, canonical) => {
  await write({ language, pathname, canonical: pathname })
  expect(content('meta[property="og:locale"]')).toBe(locale)
  expect(href('link[rel="canonical"]')).toBe(SITE + canonical)
  expect(content('meta[property="og:url"]')).toBe(SITE + canonical)
})

it('links alternate languages with the query', async () => {
  await write({ canonical: '/game/rust?page=2', part: 2 })
  expect(alternates().map(([, to]) => to)).toEqual([
    '/game/rust?page=2',
    '/en/game/rust?page=2',
    '/es/game/rust?page=2',
    '/game/rust?page=2',
  ])
  expect(alternates().at(-1)?.[0]).toBe('x-default')
})

it('toggles noindex with the indexed state', async () => {
  await write({ indexed: false })
  expect(content('meta[name="robots"]')).toBe('noindex')
  expect(alternates()).toEqual([])
  await write({ indexed: false }, { indexed: true })
  expect(document.head.querySelector('meta[name="robots"]')).toBeNull()
  expect(alternates()).toHaveLength(4)
})

it('removes server metadata on another page', async () => {
  await write({})
  expect(document.head.querySelector('script[type="application/ld+json"]')).not.toBeNull()
  await write({}, { pathname: '/', canonical: '/' })
  for (const stale of [
    'script[type="application/ld+json"]',
    'meta[name="keywords"]',
    'link[type="application/atom+xml"]',
  ])
    expect(document.head.querySelector(stale)).toBeNull()
})

it('removes server metadata on another list part', async () => {
  await write({ part: 2 })
  expect(document.head.querySelector('meta[name="keywords"]')).toBeNull()
})

it('removes the previous description without a new one', async () => {
  await write({}, { pathname: '/dev', canonical: '/dev', title: 'Dev', description: undefined })
  expect(content('meta[name="description"]')).toBeUndefined()
  expect(content('meta[property="og:description"]')).toBeUndefined()
})
