/** Runs statements through the console's own route, which limits them and can cancel them. */
import { ApiError, request, send, urlOf } from '@/api/client'

export interface ResultColumn {
  name: string
  type: string
}

export interface QueryResult {
  columns: ResultColumn[]
  rows: unknown[][]
  row_count: number
  truncated: boolean
  duration_ms: number
  command: string
}

/** The result of the last statement, and of each if there are several. */
export interface QueryResponse extends QueryResult {
  results?: QueryResult[]
}

export interface QueryRequest {
  query: string
  parameters?: readonly (string | null)[]
  /** Whether the transaction is read-only; true by default. */
  isReadOnly?: boolean
  timeout?: number
  maxRows?: number
  signal?: AbortSignal | undefined
}

/** Runs statements. Aborting the signal also cancels them in the database. */
export async function runQuery({
  query,
  parameters,
  isReadOnly = true,
  timeout,
  maxRows,
  signal,
}: QueryRequest): Promise<QueryResponse> {
  const id = crypto.randomUUID()
  const cancel = (): void => void request<void>(`query/${id}`, { method: 'DELETE' }).catch(() => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const response = await send(urlOf('query'), {
      method: 'POST',
      body: {
        query,
        id,
        read_only: isReadOnly,
        ...(parameters && parameters.length > 0 ? { parameters } : {}),
        ...(timeout ? { timeout_ms: timeout } : {}),
        ...(maxRows ? { max_rows: maxRows } : {}),
      },
      ...(signal ? { signal } : {}),
    })
    return readResponse(await response.text())
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** Numbers that JavaScript would round stay text, if the browser gives access to their source. */
export function readResponse(text: string): QueryResponse {
  const keepExact = function (_key: string, value: unknown, context?: { source?: string }): unknown {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || context?.source === undefined) return value
    return String(value) === context.source ? value : context.source
  }
  return JSON.parse(text, keepExact) as QueryResponse
}

/** The database's error for a refused statement. */
export interface DatabaseRefusal {
  message: string
  sqlstate: string | null
  /** The position of the character in the statement, from 1. */
  position: number | null
  detail: string | null
  hint: string | null
}

export function databaseRefusalOf(error: unknown): DatabaseRefusal | undefined {
  if (!(error instanceof ApiError) || error.code !== 'database_error') return undefined
  const text = (name: string): string | null => {
    const value = error.details[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const position = Number(error.details.position)
  return {
    message: error.message,
    sqlstate: text('sqlstate'),
    position: Number.isInteger(position) && position > 0 ? position : null,
    detail: text('detail'),
    hint: text('hint'),
  }
}

/** A refusal in one line, with its detail. */
export function refusalText(error: Error): string {
  const refusal = databaseRefusalOf(error)
  return refusal?.detail ? `${refusal.message}. ${refusal.detail}` : error.message
}
