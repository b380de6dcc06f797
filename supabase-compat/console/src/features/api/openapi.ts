/**
 * Parses the OpenAPI document of a service (version 2, as rest/v1 writes it) into operations for a
 * form.
 */
import { queryOptions } from '@tanstack/react-query'
import { callerHeaders, type Caller } from '@/api/caller'
import { exchange, serviceRequest, serviceUrl } from '@/api/client'
import { readResponse, type ServiceResponse } from '@/ui/response-view'

interface Schema {
  type?: string
  format?: string
  default?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  $ref?: string
}

interface Parameter {
  name: string
  in: 'query' | 'header' | 'path' | 'body' | 'formData'
  required?: boolean
  description?: string
  type?: string
  format?: string
  enum?: string[]
  default?: unknown
  schema?: Schema
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, { summary?: string; tags?: string[]; parameters?: (Parameter | Reference)[] }>>
  parameters?: Record<string, Parameter>
  definitions?: Record<string, Schema>
}

interface Reference {
  $ref: string
}

export interface Operation {
  /** For example `get /songs`; also used in the address. */
  id: string
  method: string
  path: string
  summary: string
  parameters: Parameter[]
  /** An example of the body; null without a body. */
  body: string | null
}

/** The service to which the document belongs. */
const SERVICE = 'rest/v1'
const METHODS = ['get', 'post', 'patch', 'put', 'delete']

export const documentQuery = queryOptions({
  queryKey: ['api', 'document'],
  queryFn: ({ signal }) => serviceRequest<OpenApiDocument>(`${SERVICE}/`, { signal }),
})

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    METHODS.filter((method) => verbs[method]).map((method): Operation => {
      const { summary = '', parameters = [] } = verbs[method]!
      const resolved = parameters.flatMap((one) => resolve(document, one))
      const body = resolved.find((one) => one.in === 'body')
      return {
        id: `${method} ${path}`,
        method: method.toUpperCase(),
        path,
        summary,
        parameters: resolved.filter((one) => one.in !== 'body'),
        body: body ? JSON.stringify(exampleOf(document, body.schema), null, 2) : null,
      }
    }),
  )
}

function resolve(document: OpenApiDocument, parameter: Parameter | Reference): Parameter[] {
  if (!('$ref' in parameter)) return [parameter]
  const referenced = document.parameters?.[parameter.$ref.replace('#/parameters/', '')]
  return referenced ? [referenced] : []
}

/** An example value for a schema, nested to a limited depth. */
function exampleOf(document: OpenApiDocument, schema: Schema | undefined, depth = 0): unknown {
  if (!schema || depth > 3) return null
  if (schema.$ref)
    return exampleOf(document, document.definitions?.[schema.$ref.replace('#/definitions/', '')], depth + 1)
  if (schema.enum && schema.enum.length > 0) return schema.enum[0]
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [name, exampleOf(document, one, depth + 1)]),
    )
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return schema.format === 'json' || schema.format === 'jsonb' ? {} : ''
  }
}

export interface OperationCall {
  operation: Operation
  /** By parameter name; an empty value is not sent. */
  values: Record<string, string>
  body: string
  caller: Caller
}

/** The address below the console, the headers and the body of a call. */
export function requestOf({ operation, values, body, caller }: OperationCall) {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let path = operation.path
  for (const { name, in: place } of operation.parameters) {
    const value = values[name]?.trim() ?? ''
    if (value === '') continue
    if (place === 'query') query.append(name, value)
    else if (place === 'header') headers[name.toLowerCase()] = value
    else if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
  }
  const search = query.toString()
  // The document does not encode the names of tables.
  const encodedPath = path.split('/').map(encodeURIComponent).join('/')
  return {
    url: `${serviceUrl(SERVICE + encodedPath)}${search ? `?${search}` : ''}`,
    options: {
      method: operation.method,
      headers: {
        ...(operation.body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...callerHeaders(caller),
      },
      body: operation.body === null ? undefined : body,
    },
  }
}

export function callOperation(call: OperationCall): Promise<ServiceResponse> {
  const { url, options } = requestOf(call)
  return readResponse(() => exchange(url, options))
}
