/**
 * Converts failures of the client into one typed error that is thrown. Knows formats and codes, but
 * no texts: pages map `code` to a translation.
 */

/** A refusal of the API, or `offline` if there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    /** Stable code: a SQLSTATE, `PGRST…`, an auth or function code, `offline` or `unknown`. */
    readonly code: string,
    /** The server's message. */
    message: string,
    /** HTTP status; 0 if there was no response. */
    readonly status: number,
    /** Further fields of the refusal, as the server named them. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

interface Failure {
  message: string
  code?: string | undefined
  status?: number | undefined
  details?: unknown
}

interface Result<T> {
  data: T | null
  error: Failure | null
  status?: number
}

/** The data of a successful response; otherwise throws `ApiError`. */
export function unwrap<T>(result: Result<T>): T {
  const data = unwrapOptional(result)
  if (data === null) throw new ApiError('no_data', 'The answer is empty', result.status ?? 200)
  return data
}

/**
 * The data of a response that may be empty, such as `maybeSingle()` or a procedure without a
 * result.
 */
export function unwrapOptional<T>(result: Result<T>): T | null {
  if (result.error !== null) throw toApiError(result.error, result.status)
  return result.data
}

/** Rows with the requested exact count. */
export function unwrapCounted<T>(result: Result<T[]> & { count?: number | null }): { rows: T[]; count: number } {
  const rows = unwrap(result)
  return { rows, count: result.count ?? rows.length }
}

/** Converts any thrown or returned failure into an `ApiError`. */
export function toApiError(failure: unknown, status?: number): ApiError {
  if (failure instanceof ApiError) return failure
  if (!isFailure(failure)) return new ApiError('unknown', String(failure), status ?? 0)
  const known = status ?? failure.status ?? 0
  if (known === 0 && isUnreachable(failure)) return new ApiError('offline', failure.message, 0)
  // The detail that a procedure adds to a shared SQLSTATE.
  const { details: detail } = failure
  return new ApiError(failure.code || 'unknown', failure.message, known, typeof detail === 'string' ? { detail } : {})
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}

/**
 * The clients wrap a failed `fetch` in an error of their own, recognized by its message or name.
 */
function isUnreachable(failure: Failure & { name?: string }): boolean {
  return /fetch|network|load failed/i.test(failure.message) || /Fetch|Retryable/.test(failure.name ?? '')
}

export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'offline'
}

/** No row for a singular request, or no data: the page says "not found". */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'PGRST116' || error.code === 'no_data' || error.status === 404)
}

/** The refusal of a named function: its code and further fields are in the body of the response. */
export async function functionError(failure: { message: string; name?: string; context?: unknown }): Promise<ApiError> {
  const answer = failure.context
  if (!(answer instanceof Response)) return toApiError(failure)
  const body: unknown = await answer.json().catch(() => null)
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  return new ApiError(text(fields.code) ?? 'unknown', text(fields.message) ?? failure.message, answer.status, fields)
}
