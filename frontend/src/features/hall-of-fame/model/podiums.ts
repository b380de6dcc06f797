/** Derived facts about podiums. Pure. */

interface PodiumRow {
  month: string
  place: number
  server_name: string
  server_id: string | null
}

/** Groups consecutive rows with the same key, in their order. */
export function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [key: string, rows: Row[]][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups]
}

export interface Champion<Row> {
  /** One of its rows, which has the server's name and logo. */
  row: Row
  /** The number of months in which it was first. */
  titles: number
}

/**
 * The server that was first most often; null if no server was first twice, or if several are equal.
 */
export function championOf<Row extends PodiumRow>(rows: readonly Row[]): Champion<Row> | null {
  const firsts = rows.filter((row) => row.place === 1)
  const [most, next] = grouped(firsts, (row) => row.server_id ?? row.server_name)
    .map(([, won]) => won)
    .toSorted((one, other) => other.length - one.length)
  if (most?.[0] === undefined || most.length < 2 || next?.length === most.length) return null
  return { row: most[0], titles: most.length }
}

/** Places per page of a month's archive. */
export const PAGE_SIZE = 50
/** The last page of an archive that can be opened. */
export const LAST_PAGE = 20

/** The page in an address, from 1; an invalid value counts as absent. */
export function pageOfArchive(text: string | null): number {
  const page = Number(text ?? '1')
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** The month in an address (`2026-10`), as its first day; null if invalid. */
export function monthOf(text: string | null): string | null {
  return text !== null && MONTH.test(text) ? `${text}-01` : null
}
