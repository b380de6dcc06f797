/**
 * Answers of rest/v1 that the server has written into the page (`palmares-rows`), as it gives them to a visitor. Each is
 * there once, for the first who asks the same question while the page starts; whatever was not written in, or is asked
 * later, is fetched. Which questions those are stands in `app/first-load.json`.
 */

interface Answer {
  status: number
  /** `Content-Range`, where rows were counted. */
  range: string | null
  body: unknown
}

const answers = answersIn(document)

let tellMissed: () => void
/** Settles with the first question that the page does not answer. */
export const firstMissed = new Promise<void>((resolve) => {
  tellMissed = resolve
})

/** What the page knows already; null when it has to be fetched. */
export function takeWritten(url: string, method = 'GET'): Response | null {
  const question = method === 'GET' && answers.size > 0 ? questionOf(url) : ''
  const answer = answers.get(question)
  if (answer === undefined) {
    tellMissed()
    return null
  }
  answers.delete(question)
  const headers = new Headers({ 'content-type': 'application/json' })
  if (answer.range !== null) headers.set('content-range', answer.range)
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
}

/** What nobody has asked for by now would be old by the time somebody does. */
export function dropWritten(): void {
  answers.clear()
}

/** The path below `/rest/v1/` and the query, decoded: the form both sides write a question in. */
export function questionOf(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://any')
  const query = [...searchParams].map(([name, value]) => `${name}=${value}`).join('&')
  return `${pathname.replace(/^.*\/rest\/v1\//, '')}?${query}`
}

export function answersIn(page: Pick<Document, 'getElementById'>): Map<string, Answer> {
  try {
    const written: unknown = JSON.parse(page.getElementById('palmares-rows')?.textContent ?? '[]')
    return new Map(Array.isArray(written) ? written.flatMap(readEntry) : [])
  } catch {
    return new Map()
  }
}

function readEntry(entry: unknown): [string, Answer][] {
  if (!Array.isArray(entry)) return []
  const [question, status, range, body]: unknown[] = entry
  if (typeof question !== 'string' || typeof status !== 'number') return []
  return [[question, { status, range: typeof range === 'string' ? range : null, body }]]
}
