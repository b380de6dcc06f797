/** Where the statements of a text begin and end, so that one of them can be run, and what an error's place means in the text. */

export interface StatementRange {
  from: number
  to: number
}

/** The statements of a text: what stands between semicolons that are in no text, name, comment or body of a function. */
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

/** The statement at a place of the text; at the gap after one, that one. */
export function statementAt(text: string, place: number): StatementRange | undefined {
  const ranges = statementsOf(text)
  return ranges.find((range) => range.to >= place) ?? ranges.at(-1)
}

/** PostgreSQL counts characters from 1; a text of JavaScript counts UTF-16 units from 0. */
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

/** Whether a statement could change something; what is not known to read only may. */
export function mayWrite(statement: string): boolean {
  const bare = withoutComments(statement).trim().toLowerCase()
  const first = /^\(*\s*([a-z]+)/.exec(bare)?.[1] ?? ''
  if (first === 'explain')
    return /\banalyze\b/.test(bare) && mayWrite(bare.replace(/^explain\s*(\([^)]*\)|analyze|verbose|\s)*/, ''))
  if (first === 'with') return /\b(insert\s+into|update|delete\s+from|merge\s+into)\b/.test(bare)
  return !['select', 'show', 'values', 'table', 'fetch', ''].includes(first)
}

/** Where what begins here ends, if it is something in which a semicolon is no end; else the same place. */
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

/** Comments of PostgreSQL stand in one another. */
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
