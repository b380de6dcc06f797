/** The API's responses in a test: a stub of `fetch`, which records the requests. For tests only. */
import { vi } from 'vitest'
import { tokenAnswer } from './sign-in'

export interface ApiRequest {
  /** A table, `rpc/<procedure>`, `functions/<function>` or `auth/<endpoint>`. */
  name: string
  method: string
  query: URLSearchParams
  /** The body, parsed as JSON; null without one. */
  body: unknown
}

/** Rows or another value to respond with, or a function that makes the response. */
export type Answer = readonly object[] | object | ((request: ApiRequest) => Response | Promise<Response>)

/**
 * Responds to requests by name (or to all by one function) until the test's
 * `vi.unstubAllGlobals()`; a function is called each time, so that a test can change the response.
 * Other requests get "not found".
 */
export function answers(
  known: Readonly<Record<string, Answer>> | ((request: ApiRequest) => Response | Promise<Response>),
) {
  const requests: ApiRequest[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(String(input))
    const name = pathname.replace(/^\/rest\/v1\//, '').replace(/^\/(\w+)\/v1\//, '$1/')
    const body: unknown = init?.body ? JSON.parse(String(init.body)) : null
    const request: ApiRequest = { name, method: init?.method ?? 'GET', query: searchParams, body }
    requests.push(request)
    if (typeof known === 'function') return known(request)
    return responseTo(request, Object.hasOwn(known, name) ? known[name] : undefined)
  })
  return {
    requests,
    /** The requests with this name, in order. */
    requestsOf: (name: string) => requests.filter((request) => request.name === name),
  }
}

function responseTo(request: ApiRequest, answer: Answer | undefined): Response | Promise<Response> {
  if (typeof answer === 'function') return answer(request)
  if (answer === undefined) return refused('PGRST205', 404)
  const range = Array.isArray(answer) ? { 'content-range': `*/${answer.length}` } : undefined
  return Response.json(answer, range && { headers: range })
}

/** Rows for reads, and the response to writes; by default success. */
export function table(rows: readonly object[], change: Answer = {}): Answer {
  return (request) => responseTo(request, request.method === 'GET' ? rows : change)
}

/** The response of a procedure without a result. */
export const done = (): Response => new Response(null, { status: 204 })

/** A refusal; no page may show its message. */
export function refused(code: string, status: number, fields: object = {}): Response {
  return Response.json({ code, message: `refused by the server: ${code}`, ...fields }, { status })
}

/** Like `refused`, for the table of responses. */
export function refusal(code: string, status: number, fields: object = {}): () => Response {
  return () => refused(code, status, fields)
}

const PROFILES = {
  player: { role: 'user', username: 'Ada', servers: [] },
  owner: { role: 'user', username: 'Ada', servers: [{ id: 'a9d2b8de-0000-4000-8000-000000000001' }] },
  admin: { role: 'admin', username: 'Ada', servers: [] },
} as const

/**
 * The responses of the services for a persona, who is signed in with `signInAsAda`. Guests need
 * none.
 */
export function persona(name: keyof typeof PROFILES): Record<string, Answer> {
  return {
    'auth/token': () => tokenAnswer(),
    'auth/logout': () => new Response(null, { status: 204 }),
    profiles: PROFILES[name],
  }
}
