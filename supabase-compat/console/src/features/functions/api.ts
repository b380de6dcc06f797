/** Functions of the project, their output, and the names of their secrets. */
import { queryOptions } from '@tanstack/react-query'
import { callerHeaders, type Caller } from '@/api/caller'
import { exchange, serviceRequest, serviceUrl } from '@/api/client'
import { readResponse, type ServiceResponse } from '@/ui/response-view'

export interface FunctionRow {
  name: string
  last_status: number | null
  last_called_at: string | null
  last_took_ms: number | null
  process: { running: boolean; memory_bytes: number; starts: number; ends: Record<string, number> } | null
}

export interface FunctionList {
  functions: FunctionRow[]
  /** Why the functions in the folder cannot be called. */
  missing: string | null
  has_folder: boolean
}

export const functionsQuery = queryOptions({
  queryKey: ['functions'],
  queryFn: ({ signal }) => serviceRequest<FunctionList>('project/functions', { signal }),
})

export const secretsQuery = queryOptions({
  queryKey: ['functions', 'secrets'],
  queryFn: async ({ signal }) => (await serviceRequest<{ secrets: string[] }>('project/secrets', { signal })).secrets,
})

const secretPath = (name: string) => `project/secrets/${encodeURIComponent(name)}`
export const setSecret = ({ name, value }: { name: string; value: string }) =>
  serviceRequest<void>(secretPath(name), { method: 'PUT', body: { value } })
export const removeSecret = (name: string) => serviceRequest<void>(secretPath(name), { method: 'DELETE' })

/** The same rule as on the server. */
export const isSecretName = (name: string) =>
  /^[A-Za-z_]\w{0,255}$/.test(name) && !/^(SUPABASE|DENO|COMPAT_FUNCTION)_/.test(name)

export const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

export interface FunctionCall {
  name: string
  method: Method
  /** The path after the name, and parameters. */
  rest: string
  /** One header a line. */
  headers: string
  body: string
  caller: Caller
}

/** Parses headers from lines `name: value`; returns the first invalid line. */
export function readHeaders(text: string): { headers: Record<string, string>; invalidLine: string | null } {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*([\t -~\u0080-\u00ff]*)$/.exec(line.trim()) ?? []
    if (name === undefined || value === undefined) return { headers: {}, invalidLine: line.trim() }
    headers[name.toLowerCase()] = value
  }
  return { headers, invalidLine: null }
}

export function callFunction({ name, method, rest, headers, body, caller }: FunctionCall): Promise<ServiceResponse> {
  const parsedHeaders = readHeaders(headers).headers
  const takesBody = method !== 'GET' && body !== ''
  return readResponse(() =>
    exchange(serviceUrl(`functions/v1/${encodeURIComponent(name)}`) + rest, {
      method,
      headers: {
        ...(takesBody ? { 'content-type': 'application/json' } : {}),
        ...parsedHeaders,
        ...callerHeaders(caller),
      },
      body: takesBody ? body : undefined,
    }),
  )
}
