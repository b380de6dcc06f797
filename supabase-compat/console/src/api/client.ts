/**
 * Requests to the console's own API. The session is a cookie that no script can read; writes have a
 * header that no other site can send. Every refusal becomes an `ApiError`, whichever service sent
 * it.
 */
const BASE = '/console/api'

export interface RequestOptions {
  method?: string
  /** Sent as JSON, unless it is already a form, a file or text. */
  body?: unknown
  query?: Record<string, string | number | boolean | null | undefined>
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A refusal of the console or of one of the services behind it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly status: number,
    /** `snake_case`; `network` if there was no response. */
    readonly code: string,
    message: string,
    /** The fields beside code and message, such as `position` of a database error. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

/** Called when the session has ended. */
let onSignedOut: () => void = () => undefined
export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback
}

export function urlOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  const search = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString()
  return `${BASE}/${path.replace(/^\//, '')}${search ? `?${search}` : ''}`
}

/** The address of a service's path, such as `auth/v1/admin/users`, through the console. */
export function serviceUrl(path: string, query?: RequestOptions['query']): string {
  return urlOf(`services/${path.replace(/^\//, '')}`, query)
}

/** The response as it arrived, even a refusal; the end of a session is reported all the same. */
export async function exchange(url: string, options: RequestOptions = {}): Promise<Response> {
  const response = await fetchResponse(url, options)
  if (response.status === 401) {
    const refusal = refusalOf(401, await response.clone().text())
    if (refusal.code === 'not_signed_in') {
      onSignedOut()
      throw refusal
    }
  }
  return response
}

async function fetchResponse(url: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', body, headers, signal } = options
  const raw = body instanceof FormData || body instanceof Blob || typeof body === 'string'
  try {
    return await fetch(url, {
      method,
      credentials: 'same-origin',
      signal,
      headers: {
        accept: 'application/json',
        ...(method === 'GET' || method === 'HEAD' ? {} : { 'x-console-request': '1' }),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'network', 'The console did not answer.')
  }
}

/** The whole response, for callers that need its headers or bytes. Throws refusals. */
export async function send(url: string, options: RequestOptions = {}): Promise<Response> {
  const response = await fetchResponse(url, options)
  if (response.ok) return response
  const refusal = refusalOf(response.status, await response.text())
  noteRefusal(refusal)
  throw refusal
}

/** Reports the end of the session for a refusal that was received elsewhere. */
export function noteRefusal({ status, code }: ApiError): void {
  if (status === 401 && code === 'not_signed_in') onSignedOut()
}

/**
 * A request to the console, `session` or `operators/invitations`; returns the JSON of the response.
 */
export function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return send(urlOf(path, options.query), options).then(json<T>)
}

/**
 * A request to a service through the console, `pg/tables` or `storage/v1/bucket`; returns the JSON
 * of the response.
 */
export function serviceRequest<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return send(serviceUrl(path, options.query), options).then(json<T>)
}

async function json<T>(response: Response): Promise<T> {
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Parses the refusals of all services, each of which has its own format. */
export function refusalOf(status: number, text: string): ApiError {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return new ApiError(status, 'unexpected_answer', text.slice(0, 300) || `HTTP ${status}`)
  }
  if (typeof body !== 'object' || body === null) return new ApiError(status, 'unexpected_answer', `HTTP ${status}`)
  const outer = body as Record<string, unknown>
  const fields = (typeof outer.error === 'object' && outer.error !== null ? outer.error : outer) as Record<
    string,
    unknown
  >
  const word = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== '')
  return new ApiError(
    status,
    word('error_code', 'code', 'error') ?? 'unexpected_answer',
    word('message', 'msg', 'error_description', 'error') ?? `HTTP ${status}`,
    fields,
  )
}
