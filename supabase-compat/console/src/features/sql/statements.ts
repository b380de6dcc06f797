/**
 * Splits a text into statements, so that one can be run, and maps the position of an error into the
 * text.
 */

export interface StatementRange {
  from: number
  to: number
}

/**
 * The statements of a text: separated by semicolons outside of literals, names, comments and
 * function bodies.
 */
export function statementsOf(text: string): StatementRange[] {
  const ranges: StatementRange[] = []
  let from = 0
  let position = 0
  const close = (): void => {
    const start = from + /^\s*/.exec(text.slice(from, position))![0].length
    if (start < position) ranges.push({ from: start, to: position })
  }
  while (position < text.length) {
    const end = skip(text, position)
    if (end > position) {
      position = end
    } else if (text[position] === ';') {
      close()
      from = ++position
    } else {
      position++
    }
  }
  close()
  return ranges.filter((range) => hasWords(text.slice(range.from, range.to)))
}

/** The statement at a position; in the gap after a statement, that statement. */
export function statementAt(text: string, position: number): StatementRange | undefined {
  const ranges = statementsOf(text)
  return ranges.find((range) => range.to >= position) ?? ranges.at(-1)
}

/** PostgreSQL counts characters from 1; JavaScript counts UTF-16 units from 0. */
export function offsetOf(text: string, position: number): number {
  let units = 0
  let characters = 1
  for (const character of text) {
    if (characters >= position) break
    units += character.length
    characters++
  }
  return units
}

/** Whether a statement may write; true unless it is known to only read. */
export function mayWrite(statement: string): boolean {
  const code = withoutComments(statement).trim().toLowerCase()
  const first = /^\(*\s*([a-z]+)/.exec(code)?.[1] ?? ''
  if (first === 'explain')
    return /\banalyze\b/.test(code) && mayWrite(code.replace(/^explain\s*(\([^)]*\)|analyze|verbose|\s)*/, ''))
  if (first === 'with') return /\b(insert\s+into|update|delete\s+from|merge\s+into)\b/.test(code)
  return !['select', 'show', 'values', 'table', 'fetch', ''].includes(first)
}

/** The end of a literal, name or comment that begins here; else the same position. */
function skip(text: string, position: number): number {
  const rest = text.slice(position, position + 2)
  if (rest === '--') return endOf(text, '\n', position)
  if (rest === '/*') return endOfComment(text, position)
  const character = text[position]!
  if (character === "'") {
    const isEscaping = /[eE]/.test(text[position - 1] ?? '') && !/[\w$]/.test(text[position - 2] ?? '')
    return endOfQuoted(text, position, "'", isEscaping)
  }
  if (character === '"') return endOfQuoted(text, position, '"', false)
  if (character === '$' && !/[\w$]/.test(text[position - 1] ?? '')) {
    const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(position, position + 70))?.[0]
    if (tag) return endOf(text, tag, position + tag.length)
  }
  return position
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from)
  return end === -1 ? text.length : end + sign.length
}

/** PostgreSQL's block comments nest. */
function endOfComment(text: string, from: number): number {
  let depth = 0
  for (let position = from; position < text.length; position++) {
    const pair = text.slice(position, position + 2)
    if (pair === '/*') {
      depth++
      position++
    } else if (pair === '*/') {
      depth--
      position++
      if (depth === 0) return position + 1
    }
  }
  return text.length
}

function endOfQuoted(text: string, from: number, sign: string, isEscaping: boolean): number {
  for (let position = from + 1; position < text.length; position++) {
    if (isEscaping && text[position] === '\\') position++
    else if (text[position] === sign) {
      if (text[position + 1] !== sign) return position + 1
      position++
    }
  }
  return text.length
}

function withoutComments(text: string): string {
  let code = ''
  for (let position = 0; position < text.length;) {
    const end = skip(text, position)
    if (end > position) {
      const isComment = text.startsWith('--', position) || text.startsWith('/*', position)
      code += isComment ? ' ' : text.slice(position, end)
      position = end
    } else {
      code += text[position++]
    }
  }
  return code
}

function hasWords(text: string): boolean {
  return withoutComments(text).trim() !== ''
}
