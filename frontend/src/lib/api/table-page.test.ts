import { expect, it, vi } from 'vitest'
import { ApiError } from './errors'
import { containing, fetchTablePage } from './table-page'

const ROWS = Array.from({ length: 7 }, (_, at) => ({ id: at + 1 }))

interface Answer {
  data: { id: number }[] | null
  error: { code: string; message: string } | null
  count: number | null
  status: number
}

/** A source of rows in the format of rest/v1, with the recorded ranges. */
function source(answerOf: (from: number, to: number) => Answer) {
  const calls: string[] = []
  const query = (words: readonly string[], range: [number, number] = [0, 0]) => ({
    order: (column: string, { ascending, nullsFirst }: { ascending: boolean; nullsFirst?: boolean }) =>
      query([...words, `${column} ${ascending ? 'up' : 'down'}${nullsFirst === false ? ' nulls last' : ''}`], range),
    range: (from: number, to: number) => query([...words, `${from}-${to}`], [from, to]),
    // As the client's queries are.
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting one asks
    then: <Done, Refused>(done: (answer: Answer) => Done, refused: (cause: unknown) => Refused) => {
      calls.push(words.join(', '))
      return Promise.resolve(answerOf(...range)).then(done, refused)
    },
  })
  return { ask: vi.fn(() => query([]) as never), calls }
}

const found = (from: number, to: number): Answer => ({
  data: ROWS.slice(from, to + 1),
  error: null,
  count: ROWS.length,
  status: 200,
})
const PAST = { data: null, error: { code: 'PGRST103', message: 'past' }, count: null, status: 416 }
const request = { sort: { column: 'name', descending: true }, page: 2, size: 3 }
const ids = (rows: readonly unknown[]) => rows.map((row) => (row as { id: number }).id)

it('requests one page with id as tiebreaker', async () => {
  const { ask, calls } = source(found)
  const page = await fetchTablePage(ask, request)
  expect({ ...page, rows: ids(page.rows) }).toEqual({ rows: [4, 5, 6], count: 7, page: 2 })
  expect(calls).toEqual(['name down nulls last, id up, 3-5'])
})

it('uses a custom tiebreaker column', async () => {
  const { ask, calls } = source(found)
  await fetchTablePage(ask, { ...request, sort: { column: 'key', descending: false } }, 'key')
  expect(calls).toEqual(['key up nulls last, key up, 3-5'])
})

it.each([
  ['says so', (from: number, to: number) => (from >= ROWS.length ? PAST : found(from, to))],
  ['gives nothing', found],
])('shows the last page where the server %s past the end', async (_, answerOf) => {
  const { ask, calls } = source(answerOf)
  const page = await fetchTablePage(ask, { ...request, page: 40 })
  expect({ ...page, rows: ids(page.rows) }).toEqual({ rows: [7], count: 7, page: 3 })
  expect(calls).toHaveLength(3)
})

it('falls back to the first page', async () => {
  const { ask, calls } = source((from) =>
    from > 0 ? PAST : { data: ROWS.slice(0, 2), error: null, count: 2, status: 200 },
  )
  expect(await fetchTablePage(ask, request)).toMatchObject({ count: 2, page: 1 })
  expect(calls).toHaveLength(2)
})

it('takes an empty first page as it is', async () => {
  const { ask, calls } = source(() => ({ data: [], error: null, count: 0, status: 200 }))
  expect(await fetchTablePage(ask, { ...request, page: 1 })).toEqual({ rows: [], count: 0, page: 1 })
  expect(calls).toHaveLength(1)
})

it('throws what the server refuses, with its code', async () => {
  const { ask } = source(() => ({ data: null, error: { code: '42501', message: 'no' }, count: null, status: 403 }))
  const refusal = await fetchTablePage(ask, request).catch((cause: unknown) => cause)
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ code: '42501', status: 403 })
})

it.each([
  ['loup', '%loup%'],
  ['100%', String.raw`%100\%%`],
  ['a_b', String.raw`%a\_b%`],
  [String.raw`c\d`, String.raw`%c\\d%`],
  ['r*st', '%r_st%'],
])('finds %j as it is written', (text, pattern) => {
  expect(containing(text)).toBe(pattern)
})
