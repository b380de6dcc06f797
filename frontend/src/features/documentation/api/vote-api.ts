/** Calls the vote API as any site does: with `fetch`, without a session. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { voteKeys } from '@/entities/vote/keys'
import { apiOrigin } from '@/lib/config'
import { STALE_TIME } from '@/lib/query/stale-times'
import { questionsOf, type Description, type Question } from '../model/question'

async function fetchQuestions(signal: AbortSignal): Promise<Question[]> {
  const answer = await fetch(`${apiOrigin}/api/openapi.json`, { signal })
  if (!answer.ok) throw new Error(`openapi.json: ${answer.status}`)
  return questionsOf((await answer.json()) as Description)
}

export const questionsQuery = () =>
  queryOptions({
    queryKey: voteKeys.apiQuestions,
    queryFn: ({ signal }) => fetchQuestions(signal),
    staleTime: STALE_TIME.never,
  })

export interface ApiAnswer {
  status: number
  /** The body of the response; JSON is indented. */
  body: string
  /** The remaining requests, from the response's headers. */
  left: string | null
  /** The duration in milliseconds. */
  duration: number
}

/** Sends the request. Resolves with any status; rejects if there is no response. */
async function ask(address: string): Promise<ApiAnswer> {
  const began = performance.now()
  const answer = await fetch(`${apiOrigin}${address}`, { cache: 'no-store' })
  const text = await answer.text()
  return {
    status: answer.status,
    body: pretty(text),
    left: answer.headers.get('x-ratelimit-remaining'),
    duration: Math.round(performance.now() - began),
  }
}

function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}

export const askMutation = () => mutationOptions({ mutationFn: ask })
