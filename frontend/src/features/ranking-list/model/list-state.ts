/**
 * The state of the list in the address: order, promotion, language, tags, page. Pure; independent
 * of the router. Every change of order or filters goes to the first page.
 */
import { LANGUAGES } from '@/lib/i18n/languages'

export const SORTS = ['default', 'votes', 'rising', 'popular', 'recent', 'clicks', 'competitive'] as const
type Sort = (typeof SORTS)[number]

export const PROMOTIONS = ['all', 'prestige-only', 'regular-only'] as const
export type Promotion = (typeof PROMOTIONS)[number]

/** Languages of descriptions; `any` does not filter. */
export const PRESENTED_IN = ['any', ...LANGUAGES] as const
type PresentedIn = (typeof PRESENTED_IN)[number]

export interface ListState {
  sort: Sort
  promotion: Promotion
  language: PresentedIn
  /** Names of tags; a server matches if it has one of them. */
  tags: readonly string[]
  /** A text that names must contain; empty for any. */
  text: string
  /** From 1. */
  page: number
}

export const PAGE_SIZE = 25
const MOST_TAGS = 20
const LONGEST_TEXT = 100

/** Parses the query string of an address; invalid values count as absent. */
export function readListState(query: URLSearchParams): ListState {
  const page = Number(query.get('page') ?? '1')
  return {
    sort: oneOf(SORTS, query.get('sort')),
    promotion: oneOf(PROMOTIONS, query.get('prestige')),
    language: oneOf(PRESENTED_IN, query.get('language')),
    tags: [...new Set(query.getAll('tag').filter(isWord))].slice(0, MOST_TAGS),
    text: (query.get('q') ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, LONGEST_TEXT),
    page: Number.isSafeInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  }
}

/**
 * The query string for a state; other parameters stay. Defaults are omitted, so that one list has
 * one address.
 */
export function writeListState(state: ListState, parameters: URLSearchParams = new URLSearchParams()): string {
  const query = new URLSearchParams(parameters)
  for (const name of ['sort', 'prestige', 'language', 'tag', 'q', 'page']) query.delete(name)
  if (state.sort !== 'default') query.set('sort', state.sort)
  if (state.promotion !== 'all') query.set('prestige', state.promotion)
  if (state.language !== 'any') query.set('language', state.language)
  for (const tag of state.tags) query.append('tag', tag)
  if (state.text !== '') query.set('q', state.text)
  if (state.page > 1) query.set('page', String(state.page))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether a text can be a tag: no control characters, which the database refuses. */
function isWord(text: string): boolean {
  return text.trim() !== '' && !/\p{Cc}/u.test(text)
}

export function changed(state: ListState, change: Partial<Omit<ListState, 'page'>>): ListState {
  return { ...state, ...change, page: 1 }
}

export function isFiltered(state: ListState): boolean {
  return choicesIn(state) > 0 || state.text !== ''
}

/** The state without filters. */
export const NOTHING_CHOSEN = { promotion: 'all', language: 'any', tags: [], text: '' } as const

/** The number of set filters, each tag counted separately. */
export function choicesIn({ promotion, language, tags }: ListState): number {
  return Number(promotion !== 'all') + Number(language !== 'any') + tags.length
}

/**
 * The page in the canonical address: the shown page of the unfiltered list, the first page of any
 * other.
 */
export function plainPage(state: ListState): number {
  return state.sort === 'default' && !isFiltered(state) ? state.page : 1
}

function oneOf<Value extends string>(values: readonly [Value, ...Value[]], text: string | null): Value {
  return values.find((value) => value === text) ?? values[0]
}
