/**
 * The registry of pages, `pages.json`: every page's path in each language and its properties. The
 * server reads the same file for responses, heads and the sitemap, so an entry there is enough.
 *
 * The router (`app/router.tsx`) knows the components.
 */
import { LANGUAGES, type Language } from '@/lib/i18n/languages'
import registry from '../pages.json'
import shortcuts from '../shortcuts.json'

const AREAS = ['main', 'account', 'owner', 'admin', 'docs'] as const
const ACCESSES = ['everyone', 'signed-in', 'owner', 'staff'] as const
const WIDTHS = ['full', 'wide', 'text', 'form'] as const
const KINDS = ['slug', 'uuid', 'shortcut', 'month'] as const

/** Pages of one area share a layout and are fetched together. */
export type Area = (typeof AREAS)[number]
/** Who may open a page; the database decides about its rows. */
export type Access = (typeof ACCESSES)[number]
/** `full` pages have margins of their own. */
type Width = (typeof WIDTHS)[number]
/** The type of a parameter in an address. */
type Kind = (typeof KINDS)[number]

export type PageKey = keyof typeof registry
/** The words of pages for one or a few games, `/serveurs-{word}`. */
export type Shortcut = keyof typeof shortcuts

type Registry = typeof registry
/** The names of a page's parameters. */
export type ParamsOf<Key extends PageKey> = Registry[Key] extends { params: infer Params } ? keyof Params : never

export interface Page {
  /** One pattern for all languages, or one for each; `:name` is a parameter. */
  path: string | Record<Language, string>
  area: Area
  /**
   * The group in its area's menu, in the order of the registry; null if the menu does not have it.
   */
  nav: string | null
  access: Access
  /** Whether search engines may index it. */
  indexed: boolean
  width: Width
  params: Readonly<Record<string, Kind>>
  /** Namespaces of its texts. */
  texts: readonly string[]
}

/** One segment of a pattern: fixed text, followed by a parameter if there is one. */
export interface Segment {
  text: string
  param: { name: string; kind: Kind } | null
}

export interface PageMatch {
  key: PageKey
  params: Readonly<Record<string, string>>
}

interface RawPage {
  path: string | Record<Language, string>
  area: string
  nav?: string
  access: string
  indexed: boolean
  width: string
  params?: Record<string, string>
  texts?: string[]
}

export function isPageKey(key: string): key is PageKey {
  return Object.hasOwn(registry, key)
}

export const PAGE_KEYS: readonly PageKey[] = Object.keys(registry).filter(isPageKey)

export function isShortcut(word: string): word is Shortcut {
  return Object.hasOwn(shortcuts, word)
}

/**
 * The slugs of a shortcut's games, and their common name where a single game's name does not fit.
 */
export function shortcutOf(word: Shortcut): { games: readonly string[]; name: string | null } {
  const entry: { games: string[]; name?: string } = shortcuts[word]
  return { games: entry.games, name: entry.name ?? null }
}

const PAGES: ReadonlyMap<PageKey, Page> = new Map(PAGE_KEYS.map((key) => [key, readPage(registry[key])]))

export function pageOf(key: PageKey): Page {
  return PAGES.get(key)!
}

function readPage(raw: RawPage): Page {
  return {
    path: raw.path,
    area: oneOf(AREAS, raw.area),
    nav: raw.nav ?? null,
    access: oneOf(ACCESSES, raw.access),
    indexed: raw.indexed,
    width: oneOf(WIDTHS, raw.width),
    params: Object.fromEntries(Object.entries(raw.params ?? {}).map(([name, kind]) => [name, oneOf(KINDS, kind)])),
    texts: raw.texts ?? [],
  }
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value {
  const known = values.find((value) => value === text)
  if (known === undefined) throw new Error(`pages.json: ${text} is none of ${values.join(', ')}`)
  return known
}

/** The segments of a page's pattern in a language. */
export function patternOf(key: PageKey, language: Language): readonly Segment[] {
  return PATTERNS.get(key)![language]
}

const PATTERNS: ReadonlyMap<PageKey, Record<Language, readonly Segment[]>> = new Map(
  PAGE_KEYS.map((key) => {
    const { path, params } = pageOf(key)
    const read = (language: Language) => segmentsOf(typeof path === 'string' ? path : path[language], params)
    return [key, { fr: read('fr'), en: read('en'), es: read('es') }]
  }),
)

function segmentsOf(pattern: string, params: Page['params']): Segment[] {
  return pattern
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const [text = '', name] = segment.split(':')
      const kind = name === undefined ? undefined : params[name]
      return { text, param: name === undefined || kind === undefined ? null : { name, kind } }
    })
}

/** The page at a path, which is given as segments without a language; null if there is none. */
export function matchPage(segments: readonly string[]): PageMatch | null {
  for (const key of PAGE_KEYS)
    for (const language of LANGUAGES) {
      const params = matchPattern(patternOf(key, language), segments)
      if (params !== null) return { key, params }
    }
  return null
}

function matchPattern(pattern: readonly Segment[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [at, { text, param }] of pattern.entries()) {
    const segment = segments[at] ?? ''
    if (param === null && segment !== text) return null
    if (param === null) continue
    const value = segment.slice(text.length)
    if (!segment.startsWith(text) || !isOfKind(param.kind, value)) return null
    params[param.name] = value
  }
  return params
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** As `2026-10`. */
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/
const SLUG = /^[a-z0-9_]+(?:-[a-z0-9_]+)*$/
const LONGEST_SLUG = 200

/** No slug looks like an id, so that one address can carry either. */
function isOfKind(kind: Kind, value: string): boolean {
  if (kind === 'uuid') return UUID.test(value)
  if (kind === 'shortcut') return isShortcut(value)
  if (kind === 'month') return MONTH.test(value)
  return value.length <= LONGEST_SLUG && SLUG.test(value) && !UUID.test(value)
}
