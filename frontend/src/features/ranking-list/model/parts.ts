/**
 * The two parts of a list that begins with what is paid for: promoted servers, then the ranking. Pure; the order and
 * the pages are the database's, see docs/architecture.md.
 */
import { PAGE_SIZE, type ListState } from './list-state'

interface Placed {
  id: string
  is_prestige: boolean
  monthly_votes: number
  rank: number
  game_rank: number
}

export interface Parts<Row> {
  /** Promoted servers of this page, in the list's order. */
  promoted: Row[]
  /** The ranking of this page. A promoted server keeps its place in it as a line that leads to its card. */
  ranked: { row: Row; line: boolean }[]
  /** The first three of all; null when this page does not hold them. */
  podium: Row[] | null
}

/** Whether the list is drawn in two parts: only where the promoted servers come first. */
export function hasParts({ sort, promotion }: ListState): boolean {
  return promotion === 'all' && (sort === 'default' || sort === 'votes')
}

/** Parts a page of a list for which `hasParts` holds; `count` is that of all its pages. */
export function partsOf<Row extends Placed>(rows: readonly Row[], page: number, count: number): Parts<Row> {
  const promoted = rows.filter((row) => row.is_prestige)
  const regular = rows.filter((row) => !row.is_prestige)
  // The promoted servers of other pages are not at hand, so later pages show the regular ones alone.
  const lowest = count <= PAGE_SIZE ? -1 : (regular.at(-1)?.monthly_votes ?? Infinity)
  const lines = page === 1 ? promoted.filter((row) => row.monthly_votes >= lowest) : []
  const ranked = [
    ...regular.map((row) => ({ row, line: false })),
    ...lines.map((row) => ({ row, line: true })),
  ].toSorted((one, other) => byVotes(one.row, other.row))
  const complete = page === 1 && (regular.length >= 3 || count <= PAGE_SIZE)
  return { promoted, ranked, podium: complete ? ranked.slice(0, 3).map(({ row }) => row) : null }
}

function byVotes(one: Placed, other: Placed): number {
  return other.monthly_votes - one.monthly_votes || (one.id < other.id ? -1 : 1)
}
