/** One request with the rights of an account: by rest/v1, or as SQL. */
import { ApiError, send, serviceUrl } from '@/api/client'
import { literal } from '@/postgres/quote'
import { runQuery } from '@/postgres/run-query'
import { claimsOf, type User } from './api'

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** Characters of an answer that are shown. */
const LONGEST = 50_000
/** Rows of one. */
const MOST_ROWS = 200

export interface ActedAnswer {
  /** Of an answer over HTTP. */
  status: number | null
  isGood: boolean
  text: string
  isCut: boolean
}

export interface RestRequest {
  method: Method
  /** Below `rest/v1/`. */
  path: string
  body: string
}

export interface SqlRequest {
  statement: string
  isReadOnly: boolean
}

/** Asks rest/v1 with a token of the account. A refusal is an answer, too. */
export async function askAs(user: User, { method, path, body }: RestRequest): Promise<ActedAnswer> {
  const hasBody = (method === 'POST' || method === 'PATCH') && body.trim() !== ''
  try {
    const response = await send(serviceUrl(`rest/v1/${path.trim().replace(/^\/?(rest\/v1\/)?/, '')}`), {
      method,
      headers: {
        'x-console-user': user.id,
        ...(method === 'GET' ? {} : { prefer: 'return=representation' }),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body } : {}),
    })
    return { status: response.status, isGood: true, ...shown(await response.text()) }
  } catch (error) {
    // What the console itself refuses, or nobody answers, is no answer of the service.
    if (!(error instanceof ApiError) || error.status === 0 || error.code === 'not_signed_in') throw error
    const text = JSON.stringify(Object.keys(error.details).length > 0 ? error.details : { message: error.message })
    return { status: error.status, isGood: false, ...shown(text) }
  }
}

/** Runs a text of SQL with the role and the claims of the account, for its transaction alone. */
export async function runAs(user: User, { statement, isReadOnly }: SqlRequest): Promise<ActedAnswer> {
  const answer = await runQuery({ query: `${actingAs(user)};\n${statement}`, isReadOnly, maxRows: MOST_ROWS })
  const { columns, rows, command, row_count: count, truncated } = answer
  const objects = rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))
  const text = columns.length > 0 ? JSON.stringify(objects) : JSON.stringify({ command, rows: count })
  const { text: pretty, isCut } = shown(text)
  return { status: null, isGood: true, text: pretty, isCut: isCut || truncated }
}

/** What rest/v1 sets before a statement of the account. */
export function actingAs(user: User): string {
  const claims = claimsOf(user)
  const role = typeof claims.role === 'string' && claims.role !== '' ? claims.role : 'authenticated'
  return [
    `select set_config('request.jwt.claims', ${literal(JSON.stringify({ ...claims, role }))}, true)`,
    `set_config('role', ${literal(role)}, true)`,
  ].join(', ')
}

function shown(text: string): { text: string; isCut: boolean } {
  let pretty = text
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not every answer is JSON.
  }
  return { text: pretty.slice(0, LONGEST), isCut: pretty.length > LONGEST }
}
