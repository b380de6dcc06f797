/**
 * Files of comma-separated values, read in pieces: a preview at once, and then every row, of which only what is wrong is
 * kept. A file may be far larger than what a page should hold.
 */
import Papa from 'papaparse'
import type { Column } from '@/postgres/catalog'
import { problemsOf, type Mapping, type RowProblem } from './csv'

const PREVIEW_ROWS = 8
/** Bytes from which the preview and the delimiter are read. */
const HEAD_BYTES = 256_000
/** Characters that are parsed at once. */
const PIECE = 1_000_000
/** Problems that are kept; the import stops at as many, too. */
const MOST_PROBLEMS = 1000
/** What divides cells, as the console knows it. */
const DELIMITERS = [',', ';', '\t', '|']

export interface CsvFile {
  file: File
  delimiter: string
  newline: string
  headings: string[]
  preview: string[][]
}

/** A file whose quotation marks do not fit. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine'
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message)
  }
}

/** What is known of all rows of a file. */
export interface CsvScan {
  rows: number
  problems: RowProblem[]
}

/** Reads the heading and a few rows. */
export async function openCsv(file: File): Promise<CsvFile | { problem: 'empty' }> {
  const text = await file.slice(0, HEAD_BYTES).text()
  const { data, meta } = Papa.parse<string[]>(text, {
    preview: PREVIEW_ROWS * 2,
    skipEmptyLines: 'greedy',
    delimitersToGuess: DELIMITERS,
  })
  const [headings, ...rows] = data
  if (!headings || rows.length === 0) return { problem: 'empty' }
  const delimiter = DELIMITERS.includes(meta.delimiter) ? meta.delimiter : ','
  return { file, delimiter, newline: meta.linebreak, headings, preview: rows.slice(0, PREVIEW_ROWS) }
}

/** Reads every row of a file and says what is wrong in it. */
export async function scanCsv(
  csv: CsvFile,
  mapping: Mapping,
  columns: readonly Column[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (part: number) => void },
): Promise<CsvScan> {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const newline = csv.newline === '\r' || csv.newline === '\r\n' ? csv.newline : '\n'
  const scan: CsvScan = { rows: 0, problems: [] }
  let line = 1
  let isHeading = true
  let rest = ''
  const take = (cells: string[]): void => {
    const first = line
    line += 1 + cells.reduce((breaks, cell) => breaks + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
    if (cells.every((cell) => cell.trim() === '')) return
    if (isHeading) {
      isHeading = false
      return
    }
    scan.rows++
    if (scan.problems.length >= MOST_PROBLEMS) return
    for (const problem of problemsOf(cells, mapping, byName))
      scan.problems.push({ row: scan.rows, line: first, ...problem })
  }
  /** Takes the whole rows of what has arrived, and at the end all of it. */
  const parse = (isEnd: boolean): void => {
    // The parser's class is what reads a piece and says where its last whole row ends.
    const { data, errors, meta } = new Papa.Parser({ delimiter: csv.delimiter, newline }).parse(
      rest,
      0,
      !isEnd,
    ) as Papa.ParseResult<string[]>
    // What is wrong in a row that is not whole may be the cut's fault.
    const broken = errors.find(({ row }) => isEnd || (row ?? 0) < data.length)
    for (const [place, cells] of data.entries()) {
      if (broken && place >= (broken.row ?? 0)) break
      take(cells)
    }
    if (broken) throw new UnreadableLine(line, broken.message)
    rest = isEnd ? '' : rest.slice(meta.cursor)
  }
  const reader = csv.file.stream().getReader()
  const decoder = new TextDecoder()
  let read = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      rest += decoder.decode(value, { stream: !done })
      if (done) break
      read += value.byteLength
      if (rest.length < PIECE) continue
      parse(false)
      onProgress(read / Math.max(1, csv.file.size))
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
  parse(true)
  return scan
}
