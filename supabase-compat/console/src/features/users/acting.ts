/** One request with the rights of an account: through rest/v1, or as SQL. */
import { ApiError, send, serviceUrl } from '@/api/client'
import { literal } from '@/postgres/quote'
import { runQuery } from '@/postgres/run-query'
import { claimsOf, type User } from './api'

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** How many characters of a response are shown. */
const MAX_LENGTH = 50_000
/** How many rows of a result are shown. */
const MAX_ROWS = 200

export interface ImpersonatedResponse {
  /** The status of an HTTP response; null for SQL. */
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

/** Requests rest/v1 with a token of the account. A refusal is a response, too. */
export async function requestAs(user: User, { method, path, body }: RestRequest): Promise<ImpersonatedResponse> {
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
    return { status: response.status, isGood: true, ...formatted(await response.text()) }
  } catch (error) {
    // A refusal of the console itself, or a lost connection, is no response of the service.
    if (!(error instanceof ApiError) || error.status === 0 || error.code === 'not_signed_in') throw error
    const text = JSON.stringify(Object.keys(error.details).length > 0 ? error.details : { message: error.message })
    return { status: error.status, isGood: false, ...formatted(text) }
  }
}

/** Runs SQL with the role and claims of the account, in one transaction. */
export async function runAs(user: User, { statement, isReadOnly }: SqlRequest): Promise<ImpersonatedResponse> {
  const response = await runQuery({ query: `${impersonationSql(user)};\n${statement}`, isReadOnly, maxRows: MAX_ROWS })
  const { columns, rows, command, row_count: count, truncated } = response
  const objects = rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))
  const text = columns.length > 0 ? JSON.stringify(objects) : JSON.stringify({ command, rows: count })
  const { text: pretty, isCut } = formatted(text)
  return { status: null, isGood: true, text: pretty, isCut: isCut || truncated }
}

/** The settings that rest/v1 makes before a statement of the account. */
export function impersonationSql(user: User): string {
  const claims = claimsOf(user)
  const role = typeof claims.role === 'string' && claims.role !== '' ? claims.role : 'authenticated'
  return [
    `select set_config('request.jwt.claims', ${literal(JSON.stringify({ ...claims, role }))}, true)`,
    `set_config('role', ${literal(role)}, true)`,
  ].join(', ')
}

function formatted(text: string): { text: string; isCut: boolean } {
  let pretty = text
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // The response is not JSON.
  }
  return { text: pretty.slice(0, MAX_LENGTH), isCut: pretty.length > MAX_LENGTH }
}
