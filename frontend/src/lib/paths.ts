/**
 * Every rule about paths and languages, as pure functions over the path part of an address
 * (no query, no fragment). The server applies the same rules to the HTML it answers with; both
 * sides are held to `paths.vectors.json`.
 *
 * Does not know the router, the document or storage: callers hand in what they read there.
 */
import { gameSlugOf } from './game-slug'
import { DEFAULT_LANGUAGE, LANGUAGES, isLanguage, languageFromTag, type Language } from './languages'

export { gameSlugOf, slugify } from './game-slug'
export { LANGUAGES, type Language } from './languages'

/** Games with a shortcut page of their own, by the word that stands in its path. */
export const SHORTCUT_GAMES = ['minecraft', 'dofus', 'wow', 'cs2', 'gta-rp', 'rust', 'garry-mod', 'dayz'] as const

export type Shortcut = (typeof SHORTCUT_GAMES)[number]

/** The games a shortcut page lists, as slugs of `gameSlugOf`. */
export const SHORTCUT_GAME_SLUGS: Record<Shortcut, readonly string[]> = {
  minecraft: ['minecraft'],
  dofus: ['dofus-2x', 'dofus-retro'],
  wow: ['world-of-warcraft'],
  cs2: ['cs2'],
  'gta-rp': ['gta-v-fivem'],
  rust: ['rust'],
  'garry-mod': ['garrys-mod'],
  dayz: ['dayz'],
}

const SERVER_WORD: Record<Language, string> = { fr: 'serveur', en: 'server', es: 'servidor' }
const SERVERS_PREFIX: Record<Language, string> = { fr: 'serveurs-', en: 'servers-', es: 'servidores-' }
const GUIDE_WORD: Record<Language, string> = { fr: 'guide-votifier', en: 'votifier-guide', es: 'guia-votifier' }
const API_DOCS = 'api-docs'
const ADMIN = 'admin'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Path segments without empty ones. A backslash counts as a slash, as it does for browsers. */
function segmentsOf(path: string): string[] {
  return path.split(/[/\\]+/).filter((segment) => segment !== '')
}

function join(language: Language | null, segments: readonly string[]): string {
  const all = language === null ? segments : [language, ...segments]
  return `/${all.join('/')}`
}

/** Splits leading language prefixes (of which only the first counts) from the rest. */
function splitPrefix(path: string): { prefix: Language | null; rest: string[] } {
  const segments = segmentsOf(path)
  const first = segments[0]
  const prefix = isLanguage(first) ? first : null
  const start = segments.findIndex((segment) => !isLanguage(segment))
  return { prefix, rest: start === -1 ? [] : segments.slice(start) }
}

/** The language whose own word for this kind of page stands first in the path. */
function languageOfWords(rest: readonly string[]): Language | null {
  const first = rest[0]
  if (first === undefined) return null
  const isWordOf = (language: Language): boolean =>
    (first === SERVER_WORD[language] && rest.length > 1) ||
    first.startsWith(SERVERS_PREFIX[language]) ||
    first === GUIDE_WORD[language]
  return LANGUAGES.find(isWordOf) ?? null
}

/** The language a path asks for by itself: its prefix, else a word of one language. */
export function languageOfPath(path: string): Language | null {
  const { prefix, rest } = splitPrefix(path)
  return prefix ?? languageOfWords(rest)
}

/**
 * The language of a page: what its path says, else the stored choice, else the document's
 * language, else the browser's, else French.
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
  return rest[0] === ADMIN
}

/** An address by id (`/server/{uuid}`) reads the same in every language. */
function isServerById(rest: readonly string[]): boolean {
  return rest.length === 2 && rest[0] === SERVER_WORD.en && UUID.test(rest[1] ?? '')
}

/** Replaces the first segment by the given language's own word, where there is one. */
function translate(rest: readonly string[], language: Language): string[] {
  const from = languageOfWords(rest)
  const [first = '', ...others] = rest
  if (from === null || isServerById(rest)) return [...rest]
  if (first === SERVER_WORD[from]) return [SERVER_WORD[language], ...others]
  if (first === GUIDE_WORD[from]) return [GUIDE_WORD[language], ...others]
  return [SERVERS_PREFIX[language] + first.slice(SERVERS_PREFIX[from].length), ...others]
}

/** Pages that live at one fixed address per language, so French has no prefix and the others do. */
function hasAddressPerLanguage(rest: readonly string[]): boolean {
  return (rest.length === 1 && rest[0] === API_DOCS) || (languageOfWords(rest) !== null && !isServerById(rest))
}

/**
 * Where a path should redirect to, or null when it is right as it is.
 *
 * Repeated prefixes collapse to the first, trailing and repeated slashes go, `/games/` becomes
 * `/game/`, the administration loses its prefix, and guides, API docs, server pages and shortcut
 * pages move to the address of `language` (that of `detectLanguage`). An explicit `/fr` stays.
 */
export function canonicalPath(path: string, language: Language = detectLanguage(path)): string | null {
  const { prefix, rest } = splitPrefix(path)
  const target = canonicalTarget(prefix, rest, language)
  return target === path ? null : target
}

function canonicalTarget(prefix: Language | null, rest: readonly string[], language: Language): string {
  if (isAdmin(rest)) return join(null, rest)
  if (rest[0] === 'games' && rest.length === 2) return join(prefix, ['game', ...rest.slice(1)])
  if (prefix !== null) return join(prefix, translate(rest, prefix))
  if (!hasAddressPerLanguage(rest)) return join(null, rest)
  return join(language === DEFAULT_LANGUAGE ? null : language, translate(rest, language))
}

/** The same page in another language. The administration has one address for all. */
export function switchLanguage(path: string, to: Language): string {
  const { rest } = splitPrefix(path)
  if (isAdmin(rest)) return join(null, rest)
  const translated = rest[0] === 'games' && rest.length === 2 ? ['game', ...rest.slice(1)] : translate(rest, to)
  // A server's address by id carries an English word, so French has to be said aloud there.
  const prefix = to === DEFAULT_LANGUAGE && !isServerById(rest) ? null : to
  return join(prefix, translated)
}

function page(...segments: string[]): (language: Language) => string {
  return (language) => join(language === DEFAULT_LANGUAGE ? null : language, segments)
}

/** The path without its language, for looking up which page it is. */
export function withoutLanguage(path: string): string {
  return join(null, splitPrefix(path).rest)
}

/** Builders for every internal address. Arguments are encoded; results are canonical. */
export const paths = {
  home: page(),
  profile: page('profile'),
  addServer: page('add-server'),
  favorites: page('favorites'),
  leaderboard: page('leaderboard'),
  myVotes: page('my-votes'),
  resetPassword: page('reset-password'),
  privacy: page('privacy'),
  terms: page('terms'),
  termsOfSale: page('terms-of-sale'),
  apiDocs: page(API_DOCS),
  creatorTools: page('creator-tools'),
  seoAudit: page('seo-audit'),
  arcadeSpotsManagement: page('arcade-spots-management'),
  arcadeSpotsSuccess: page('arcade-spots', 'success'),
  prestigeSuccess: page('prestige', 'success'),
  votifierGuide: (language: Language): string => page(GUIDE_WORD[language])(language),

  /** A server's page: by slug, by id when it has none, and home with neither. */
  server(language: Language, server: { slug?: string | null; id?: string | null }): string {
    if (server.slug) return page(SERVER_WORD[language], encodeURIComponent(server.slug))(language)
    if (server.id) return `/${SERVER_WORD.en}/${encodeURIComponent(server.id)}`
    return '/'
  },

  /** A game's page; takes a slug as `gameSlugOf` makes it. */
  game: (language: Language, slug: string): string => page('game', encodeURIComponent(slug))(language),

  /** A game's page by the game's name. */
  gameNamed: (language: Language, name: string): string => paths.game(language, gameSlugOf(name)),

  shortcut: (language: Language, shortcut: Shortcut): string => page(SERVERS_PREFIX[language] + shortcut)(language),

  /** The administration, or one of its sections such as `tags` or `webhooks/{serverId}`. */
  admin: (section?: string): string => (section ? `/${ADMIN}/${section}` : `/${ADMIN}`),
}
