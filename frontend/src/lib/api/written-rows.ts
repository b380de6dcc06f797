/**
 * Responses of rest/v1 that the server has written into the page (`palmares-rows`), as a guest gets
 * them. Each is used once, by the first identical query while the page starts; other or later
 * queries are fetched. `app/first-load.json` lists the queries.
 */

/** A method call of the query builder, such as `['eq', ['slug', 'minecraft']]`. */
export type Call = readonly [name: string, args: readonly unknown[]]

interface Answer {
  status: number
  body: unknown
}

let answers = answersIn(document)

let tellMissed: () => void
/** Resolves with the first query that the page does not answer. */
export const firstMissed = new Promise<void>((resolve) => {
  tellMissed = resolve
})

/** The response in the page, in the client's format; null if it has to be fetched. */
export function takeWritten(calls: readonly Call[]): { data: unknown; error: null; status: number } | null {
  const question = answers.size > 0 ? questionOfCalls(calls) : null
  const answer = question === null ? undefined : answers.get(question)
  if (question === null || answer === undefined) {
    tellMissed()
    return null
  }
  answers.delete(question)
  const { status, body } = answer
  return { data: calls.some(([name]) => name === 'maybeSingle') ? firstOf(body) : body, error: null, status }
}

const firstOf = (rows: unknown): unknown => (Array.isArray(rows) ? (rows[0] ?? null) : rows)

/** Drops the unused responses, which would be stale later. */
export function dropWritten(): void {
  answers.clear()
}

/** Reads the responses of another page. */
export function readWritten(page: Pick<Document, 'getElementById'>): void {
  answers = answersIn(page)
}

/** The key of a query: path below `/rest/v1/` and decoded parameters. The server uses it too. */
export function questionOf(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://any')
  return written(pathname.replace(/^.*\/rest\/v1\//, ''), [...searchParams])
}

const written = (path: string, query: readonly (readonly [string, string])[]) =>
  `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`

/**
 * The key of the query that these calls of the client build. Supports only the calls that occur in
 * first queries; null for any other, which is fetched. `first-load.test.ts` compares the key with
 * the client's request.
 */
export function questionOfCalls([beginning, ...calls]: readonly Call[]): string | null {
  if (beginning === undefined) return null
  const [kind, [path, values, options]] = beginning
  if (kind === 'rpc' && !(options as { get?: boolean } | undefined)?.get) return null
  const query = new Map(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]))
  for (const [name, [first, second]] of calls) {
    const add = ADD[name]
    // A select with options asks for a count, which arrives in a header.
    if (add === undefined || (name === 'select' && Object.keys(second ?? {}).length > 0)) return null
    add(query, first as never, second as never)
  }
  return written(kind === 'rpc' ? `rpc/${String(path)}` : String(path), [...query])
}

type ParameterWriter = (query: Map<string, string>, first: never, second: never) => void

interface Options {
  ascending?: boolean
  nullsFirst?: boolean
  referencedTable?: string
}

const of = (name: string, { referencedTable }: Options = {}) =>
  referencedTable === undefined ? name : `${referencedTable}.${name}`

const ADD: Readonly<Record<string, ParameterWriter>> = {
  select: (query, columns: string) => query.set('select', columns.replace(/\s/g, '')),
  eq: (query, column: string, value: unknown) => query.set(column, `eq.${String(value)}`),
  gte: (query, column: string, value: unknown) => query.set(column, `gte.${String(value)}`),
  in: (query, column: string, values: readonly unknown[]) => query.set(column, `in.(${values.join(',')})`),
  order(query, column: string, options: Options = {}) {
    const nulls = options.nullsFirst === undefined ? '' : options.nullsFirst ? '.nullsfirst' : '.nullslast'
    const order = `${column}.${options.ascending === false ? 'desc' : 'asc'}${nulls}`
    const before = query.get(of('order', options))
    query.set(of('order', options), before === undefined ? order : `${before},${order}`)
  },
  limit: (query, count: number, options?: Options) => query.set(of('limit', options), String(count)),
  range(query, first: number, last: number) {
    query.set('offset', String(first))
    query.set('limit', String(last - first + 1))
  },
  single: () => {},
  maybeSingle: () => {},
  abortSignal: () => {},
}

export function answersIn(page: Pick<Document, 'getElementById'>): Map<string, Answer> {
  try {
    const entries: unknown = JSON.parse(page.getElementById('palmares-rows')?.textContent ?? '[]')
    return new Map(Array.isArray(entries) ? entries.flatMap(readEntry) : [])
  } catch {
    return new Map()
  }
}

/** Reads an entry without its count: queries that need a count are fetched. */
function readEntry(entry: unknown): [string, Answer][] {
  if (!Array.isArray(entry)) return []
  const [question, status, , body]: unknown[] = entry
  if (typeof question !== 'string' || typeof status !== 'number') return []
  return [[question, { status, body }]]
}
