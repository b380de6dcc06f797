/**
 * Requests to the console's own API. The session is a cookie that no script reads; what changes something carries a
 * header that no other site can send. Every refusal becomes an `ApiError`, whichever service worded it.
 */
const BASE = '/console/api'

export interface RequestOptions {
  method?: string
  /** Sent as JSON, unless it is a form, a file or text already. */
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
    /** `snake_case`; `network` when nothing was answered. */
    readonly code: string,
    message: string,
    /** The fields beside code and message, such as `position` of a database error. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

/** Whoever keeps the session is told that it ended. */
let onSignedOut: () => void = () => undefined
export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback
}

export function urlOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  const search = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString()
  return `${BASE}/${path.replace(/^\//, '')}${search ? `?${search}` : ''}`
}

/** The address of a service's own path, such as `auth/v1/admin/users`, through the console. */
export function serviceUrl(path: string, query?: RequestOptions['query']): string {
  return urlOf(`services/${path.replace(/^\//, '')}`, query)
}

/** The answer as it came, a service's refusal too; a session that is over is told of all the same. */
export async function exchange(url: string, options: RequestOptions = {}): Promise<Response> {
  const answer = await ask(url, options)
  if (answer.status === 401) {
    const refusal = refusalOf(401, await answer.clone().text())
    if (refusal.code === 'not_signed_in') {
      onSignedOut()
      throw refusal
    }
  }
  return answer
}

async function ask(url: string, options: RequestOptions): Promise<Response> {
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

/** The whole answer, for what needs its headers or its bytes. Refusals are thrown. */
export async function send(url: string, options: RequestOptions = {}): Promise<Response> {
  const answer = await ask(url, options)
  if (answer.ok) return answer
  const refusal = refusalOf(answer.status, await answer.text())
  noteRefusal(refusal)
  throw refusal
}

/** Tells whoever keeps the session of a refusal that was not asked for here. */
export function noteRefusal({ status, code }: ApiError): void {
  if (status === 401 && code === 'not_signed_in') onSignedOut()
}

/** A request to the console, `session` or `operators/invitations`; the JSON of the answer. */
export function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return send(urlOf(path, options.query), options).then(json<T>)
}

/** A request to a service through the console, `pg/tables` or `storage/v1/bucket`; the JSON of the answer. */
export function serviceRequest<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return send(serviceUrl(path, options.query), options).then(json<T>)
}

async function json<T>(answer: Response): Promise<T> {
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Each service words its refusals in its own shape; this reads them all. */
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
