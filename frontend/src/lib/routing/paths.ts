/**
 * All rules about paths and languages, as pure functions of the path of an address (no query, no
 * fragment). The server applies the same rules to its HTML; `paths.vectors.json` tests both sides.
 *
 * Independent of the router, the document and storage: callers pass in what they read there.
 */
import { DEFAULT_LANGUAGE, LANGUAGES, isLanguage, languageFromTag, type Language } from '@/lib/i18n/languages'
import {
  PAGE_KEYS,
  matchPage,
  pageOf,
  patternOf,
  type PageKey,
  type PageMatch,
  type ParamsOf,
  type Segment,
  type Shortcut,
} from './pages'

export { gameSlugOf, slugify } from '@/lib/routing/game-slug'
export { LANGUAGES, type Language } from '@/lib/i18n/languages'
export type { Shortcut } from './pages'

/**
 * Path segments without empty ones, in lower case except for percent-encoded parts. A backslash
 * counts as a slash, as in browsers.
 */
function segmentsOf(path: string): string[] {
  return path
    .replace(/%[0-9A-Fa-f]{2}|[A-Z]/g, (found) => (found.startsWith('%') ? found : found.toLowerCase()))
    .split(/[/\\]+/)
    .filter((segment) => segment !== '')
}

function join(language: Language | null, segments: readonly string[]): string {
  const all = language === null ? segments : [language, ...segments]
  return `/${all.join('/')}`
}

/** The default language needs no prefix. */
function prefixOf(language: Language): Language | null {
  return language === DEFAULT_LANGUAGE ? null : language
}

/** Splits leading language prefixes (of which only the first counts) from the rest. */
function splitPrefix(path: string): { prefix: Language | null; rest: string[] } {
  const segments = segmentsOf(path)
  const first = segments[0]
  const prefix = isLanguage(first) ? first : null
  const start = segments.findIndex((segment) => !isLanguage(segment))
  return { prefix, rest: start === -1 ? [] : segments.slice(start) }
}

/** Pages with an address for each language. */
const WORDED = PAGE_KEYS.filter((key) => typeof pageOf(key).path !== 'string')

/**
 * What the first segment of a path identifies: a page, and the language if the word belongs to one
 * language.
 */
interface Wording {
  key: PageKey
  language: Language | null
}

function wordingOf(rest: readonly string[]): Wording | null {
  for (const key of WORDED) {
    const languages = LANGUAGES.filter((language) => opens(patternOf(key, language), rest))
    const [language] = languages
    if (language !== undefined) return { key, language: languages.length === 1 ? language : null }
  }
  return null
}

/** Whether a path begins with the first segment of a pattern, and is long enough for it. */
function opens([first, ...remaining]: readonly Segment[], [word, ...behind]: readonly string[]): boolean {
  if (first === undefined || word === undefined || behind.length < remaining.length) return false
  return first.param === null ? word === first.text : word.startsWith(first.text)
}

/** The language in a path: its prefix, else a word of one language. */
export function languageOfPath(path: string): Language | null {
  const { prefix, rest } = splitPrefix(path)
  return prefix ?? wordingOf(rest)?.language ?? null
}

/**
 * The language of a page: from its path, else the stored choice, else the document's language, else
 * the browser's, else French.
 */
export function detectLanguage(
  path: string,
  stored?: string | null,
  documentLang?: string | null,
  browserLang?: string | null,
): Language {
  return (
    languageOfPath(path) ??
    languageFromTag(stored) ??
    languageFromTag(documentLang) ??
    languageFromTag(browserLang) ??
    DEFAULT_LANGUAGE
  )
}

function isAdmin(rest: readonly string[]): boolean {
  return rest[0] === patternOf('admin', DEFAULT_LANGUAGE)[0]?.text
}

/** The segment for servers without a server behind it. */
function isServerWordAlone(rest: readonly string[]): boolean {
  return rest.length === 1 && LANGUAGES.some((language) => patternOf('server', language)[0]?.text === rest[0])
}

/** An address with an id is the same in every language. */
function isServerById(rest: readonly string[]): boolean {
  return matchPage(rest)?.key === 'serverById'
}

function isOldGamePath(rest: readonly string[]): boolean {
  return rest[0] === 'games' && rest.length === 2
}

/** Replaces the first segment by the given language's word, if there is one. */
function translate(rest: readonly string[], language: Language): string[] {
  const wording = wordingOf(rest)
  const [first = '', ...remaining] = rest
  if (wording === null || wording.language === null || isServerById(rest)) return [...rest]
  const from = patternOf(wording.key, wording.language)[0]?.text ?? ''
  const to = patternOf(wording.key, language)[0]?.text ?? ''
  return [to + first.slice(from.length), ...remaining]
}

/**
 * The target of a redirect, or null if the path is canonical.
 *
 * Letters become lower case, repeated prefixes collapse to the first, trailing and repeated slashes
 * are removed, `/games/` becomes `/game/`, the segment for servers without a server leads home, the
 * administration loses its prefix, and pages with an address for each language move to that of
 * `language` (by default `detectLanguage`). An explicit `/fr` stays.
 */
export function canonicalPath(path: string, language: Language = detectLanguage(path)): string | null {
  const { prefix, rest } = splitPrefix(path)
  const target = canonicalTarget(prefix, rest, language)
  return target === path ? null : target
}

function canonicalTarget(prefix: Language | null, rest: readonly string[], language: Language): string {
  if (isAdmin(rest)) return join(null, rest)
  if (isServerWordAlone(rest)) return join(prefix, [])
  if (isOldGamePath(rest)) return join(prefix, ['game', ...rest.slice(1)])
  if (prefix !== null) return join(prefix, translate(rest, prefix))
  if (wordingOf(rest) === null || isServerById(rest)) return join(null, rest)
  return join(prefixOf(language), translate(rest, language))
}

/** The same page in another language. The administration has one address for all languages. */
export function switchLanguage(path: string, to: Language): string {
  const { rest } = splitPrefix(path)
  if (isAdmin(rest)) return join(null, rest)
  if (isServerWordAlone(rest)) return join(prefixOf(to), [])
  const translated = isOldGamePath(rest) ? ['game', ...rest.slice(1)] : translate(rest, to)
  // A server's address with an id has an English word, so it needs an explicit prefix for French.
  const prefix = isServerById(rest) ? to : prefixOf(to)
  return join(prefix, translated)
}

/** The page at a path with its parameters; null if there is none. */
export function pageAt(path: string): PageMatch | null {
  return matchPage(splitPrefix(path).rest)
}

function build(key: PageKey, language: Language, params: Readonly<Record<string, string>>): string {
  const segments = patternOf(key, language).map(
    ({ text, param }) => text + (param === null ? '' : encodeURIComponent(params[param.name] ?? '')),
  )
  if (isAdmin(segments)) return join(null, segments)
  // An address with an id has an English word, so it needs an explicit prefix for French.
  return join(key === 'serverById' ? language : prefixOf(language), segments)
}

type Builder<Key extends PageKey> = [ParamsOf<Key>] extends [never]
  ? (language: Language) => string
  : (language: Language, params: Readonly<Record<ParamsOf<Key>, string>>) => string

type Builders = { [Key in PageKey]: Builder<Key> }

function builders(): Builders {
  const all: Partial<Record<PageKey, (language: Language, params?: Readonly<Record<string, string>>) => string>> = {}
  for (const key of PAGE_KEYS) all[key] = (language, params = {}) => build(key, language, params)
  // TypeScript cannot infer the type of a record that is filled key by key.
  return all as Builders
}

const page = builders()

/** Builders for every internal address, one for each page of the registry. Arguments are encoded. */
export const paths = {
  ...page,

  /** A server's page: by slug, by id without a slug, and home without both. */
  server(language: Language, server: { slug?: string | null; id?: string | null }): string {
    if (server.slug) return page.server(language, { slug: server.slug })
    if (server.id) return page.serverById(language, { slug: server.id })
    return page.home(language)
  },

  /** A game's page; takes a slug from `gameSlugOf`. */
  game: (language: Language, slug: string): string => page.game(language, { game: slug }),

  /**
   * The page that lists a game's servers: its own, or one that it shares with another game, with
   * the game in the query string. `gameSlugOf` maps names to pages; the list shows the game's own
   * servers.
   */
  gameOf(language: Language, game: { slug: string; page_slug: string }): string {
    const hasOwnPage = game.slug === game.page_slug
    return paths.game(language, game.page_slug) + (hasOwnPage ? '' : `?game=${encodeURIComponent(game.slug)}`)
  },

  shortcut: (language: Language, shortcut: Shortcut): string => page.shortcut(language, { shortcut }),
}
