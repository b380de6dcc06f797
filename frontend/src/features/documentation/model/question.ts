/** The requests that openapi.json describes, and the address of a request. */

/** The part of OpenAPI that is used here. */
export interface Description {
  paths: Record<string, { get?: Operation | undefined }>
}

interface Operation {
  summary?: string
  tags?: string[]
  parameters?: Parameter[]
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
}

export interface Question {
  path: string
  /** The vote site whose dialect it is, or its subject. */
  group: string
  fields: readonly QuestionField[]
}

export interface QuestionField {
  name: string
  isInPath: boolean
  isRequired: boolean
}

/** Claims have side effects, so they are not offered here. */
const CHANGES = /claim/

/** All requests without side effects, in the order of the description. */
export function questionsOf({ paths }: Description): Question[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || CHANGES.test(path) || path === '/api/openapi.json') return []
    const fields = (get.parameters ?? []).map((field) => ({
      name: field.name,
      isInPath: field.in === 'path',
      isRequired: field.required === true,
    }))
    return [{ path, group: get.tags?.[0] ?? '', fields }]
  })
}

const SERVERS = new Set(['server', 'server_token', 'key'])

/** Whether a field names the server. */
export function isServer({ name }: QuestionField): boolean {
  return SERVERS.has(name)
}

/** Replaces a secret value in an address. */
const DOTS = '•'.repeat(12)
const MARK = '-hidden-'

/** The address of a request with dots in place of the server's token or id. */
export function withoutServer(question: Question, values: Readonly<Record<string, string>>): string {
  const marked = question.fields
    .filter((field) => isServer(field) && values[field.name]?.trim())
    .map(({ name }) => name)
  const address = addressOf(question, { ...values, ...Object.fromEntries(marked.map((name) => [name, MARK])) })
  return address.replaceAll(MARK, DOTS)
}

/**
 * Path and query string of a request with the trimmed values; parameters without a value keep their
 * name.
 */
export function addressOf({ path, fields }: Question, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, isInPath } of fields) {
    const value = values[name]?.trim() ?? ''
    if (value === '') continue
    if (isInPath) filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? filled : `${filled}?${text}`
}
