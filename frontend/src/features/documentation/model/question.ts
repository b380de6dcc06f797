/** What may be asked, as openapi.json describes it, and the address a question has. */

/** As much of OpenAPI as is read here. */
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
  /** The site whose dialect it is, or what it is about. */
  group: string
  fields: readonly QuestionField[]
}

export interface QuestionField {
  name: string
  isInPath: boolean
  isRequired: boolean
}

/** Claims change something, so they are not tried by the way. */
const CHANGES = /claim/

/** Everything a page may ask without changing anything, in the order it is described. */
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

/** Stands in an address for what must not be read. */
const DOTS = '•'.repeat(12)
const MARK = '-hidden-'

/** The address of a question with dots for what names the server. */
export function withoutServer(question: Question, values: Readonly<Record<string, string>>): string {
  const marked = question.fields
    .filter((field) => isServer(field) && values[field.name]?.trim())
    .map(({ name }) => name)
  const address = addressOf(question, { ...values, ...Object.fromEntries(marked.map((name) => [name, MARK])) })
  return address.replaceAll(MARK, DOTS)
}

/** Path and query of a question with what was filled in, blanks around it left out; what the path still lacks keeps its name. */
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
