/**
 * The parts of a list with promoted servers first: a row of promoted servers, the first three, and
 * the rest of the ranking. Pure; order and pages come from the database, see docs/design/lists.md.
 */
import type { Language } from '@/lib/i18n/languages'
import { PAGE_SIZE, type ListState } from './list-state'

interface PlacedServer {
  id: string
  is_prestige: boolean
  monthly_votes: number
  language: string | null
}

export interface Parts<Row> {
  /** Promoted servers for the row above the ranking, in the list's order. */
  promoted: Row[]
  /** The first three of all; null if they are not on this page. */
  first: Row[] | null
  /** The rest of the ranking on this page, promoted or not, by place. */
  ranked: Row[]
}

export interface PartedPage<Row> {
  rows: readonly Row[]
  /** Promoted servers of earlier pages whose place in the ranking is on this one. */
  placed?: readonly Row[]
  page: number
  /** The number of servers on all pages. */
  count: number
}

/** Whether the list is drawn in parts: only if promoted servers come first. */
export function hasParts({ sort, promotion }: Pick<ListState, 'sort' | 'promotion'>): boolean {
  return promotion === 'all' && (sort === 'default' || sort === 'votes')
}

/** Splits a page of a list for which `hasParts` holds. */
export function partsOf<Row extends PlacedServer>({ rows, placed = [], page, count }: PartedPage<Row>): Parts<Row> {
  const promoted = page === 1 ? rows.filter((row) => row.is_prestige) : []
  const regular = rows.filter((row) => !row.is_prestige)
  const ranked = [...regular, ...placed, ...placedOn(promoted, regular, page * PAGE_SIZE >= count)].toSorted(byVotes)
  const holdsFirst = page === 1 && (regular.length >= 3 || count <= PAGE_SIZE)
  if (!holdsFirst) return { promoted, first: null, ranked }
  const first = ranked.slice(0, 3)
  return { promoted: without(promoted, first), first, ranked: ranked.slice(3) }
}

/**
 * The promoted servers that rank before the last regular one of a page, or all on the last page.
 */
export function placedOn<Row extends PlacedServer>(
  promoted: readonly Row[],
  regular: readonly Row[],
  isLast: boolean,
): Row[] {
  const last = regular.at(-1)
  return promoted.filter((row) => isLast || (last !== undefined && byVotes(row, last) < 0))
}

export function without<Row extends { id: string }>(rows: readonly Row[], removed: readonly Row[]): Row[] {
  return rows.filter((row) => !removed.some((other) => other.id === row.id))
}

/** Compares two servers in the order of the ranking: by votes, then by id. */
export function byVotes(
  one: Pick<PlacedServer, 'id' | 'monthly_votes'>,
  other: Pick<PlacedServer, 'id' | 'monthly_votes'>,
): number {
  return other.monthly_votes - one.monthly_votes || (one.id < other.id ? -1 : 1)
}

/** The places by which a shuffled server in the reader's language moves up. */
const HEAD_START = 2.5

/**
 * Shuffled servers with a mild preference for the reader's language: each of them passes two others
 * at most, so the shuffle still decides the order.
 */
export function preferLanguage<Row extends Pick<PlacedServer, 'language'>>(
  rows: readonly Row[],
  language: Language,
): Row[] {
  const placeOf = (row: Row, position: number) => (row.language === language ? position - HEAD_START : position)
  return rows
    .map((row, position) => ({ row, place: placeOf(row, position) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ row }) => row)
}
