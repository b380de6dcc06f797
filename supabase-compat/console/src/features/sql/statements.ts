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
  let place = 0
  const close = (): void => {
    const start = from + /^\s*/.exec(text.slice(from, place))![0].length
    if (start < place) ranges.push({ from: start, to: place })
  }
  while (place < text.length) {
    const skipped = skip(text, place)
    if (skipped > place) {
      place = skipped
    } else if (text[place] === ';') {
      close()
      from = ++place
    } else {
      place++
    }
  }
  close()
  return ranges.filter((range) => hasWords(text.slice(range.from, range.to)))
}

/** The statement at a position; in the gap after a statement, that statement. */
export function statementAt(text: string, place: number): StatementRange | undefined {
  const ranges = statementsOf(text)
  return ranges.find((range) => range.to >= place) ?? ranges.at(-1)
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
  const bare = withoutComments(statement).trim().toLowerCase()
  const first = /^\(*\s*([a-z]+)/.exec(bare)?.[1] ?? ''
  if (first === 'explain')
    return /\banalyze\b/.test(bare) && mayWrite(bare.replace(/^explain\s*(\([^)]*\)|analyze|verbose|\s)*/, ''))
  if (first === 'with') return /\b(insert\s+into|update|delete\s+from|merge\s+into)\b/.test(bare)
  return !['select', 'show', 'values', 'table', 'fetch', ''].includes(first)
}

/** The end of a literal, name or comment that begins here; else the same position. */
function skip(text: string, place: number): number {
  const rest = text.slice(place, place + 2)
  if (rest === '--') return endOf(text, '\n', place)
  if (rest === '/*') return endOfComment(text, place)
  const character = text[place]!
  if (character === "'") {
    const isEscaping = /[eE]/.test(text[place - 1] ?? '') && !/[\w$]/.test(text[place - 2] ?? '')
    return endOfQuoted(text, place, "'", isEscaping)
  }
  if (character === '"') return endOfQuoted(text, place, '"', false)
  if (character === '$' && !/[\w$]/.test(text[place - 1] ?? '')) {
    const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(place, place + 70))?.[0]
    if (tag) return endOf(text, tag, place + tag.length)
  }
  return place
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from)
  return end === -1 ? text.length : end + sign.length
}

/** PostgreSQL's block comments nest. */
function endOfComment(text: string, from: number): number {
  let depth = 0
  for (let place = from; place < text.length; place++) {
    const pair = text.slice(place, place + 2)
    if (pair === '/*') {
      depth++
      place++
    } else if (pair === '*/') {
      depth--
      place++
      if (depth === 0) return place + 1
    }
  }
  return text.length
}

function endOfQuoted(text: string, from: number, sign: string, isEscaping: boolean): number {
  for (let place = from + 1; place < text.length; place++) {
    if (isEscaping && text[place] === '\\') place++
    else if (text[place] === sign) {
      if (text[place + 1] !== sign) return place + 1
      place++
    }
  }
  return text.length
}

function withoutComments(text: string): string {
  let bare = ''
  for (let place = 0; place < text.length;) {
    const end = skip(text, place)
    if (end > place) {
      const isComment = text.startsWith('--', place) || text.startsWith('/*', place)
      bare += isComment ? ' ' : text.slice(place, end)
      place = end
    } else {
      bare += text[place++]
    }
  }
  return bare
}

function hasWords(text: string): boolean {
  return withoutComments(text).trim() !== ''
}
