/**
 * Reads CSV files in pieces: a preview at once, and then every row, of which only the problems are
 * kept. A file may be far larger than a page can hold.
 */
import Papa from 'papaparse'
import type { Column } from '@/postgres/catalog'
import { problemsOf, type Mapping, type RowProblem } from './csv'

const PREVIEW_ROWS = 8
/** How many bytes are read for the preview and the delimiter. */
const HEAD_BYTES = 256_000
/** How many characters are parsed at once. */
const CHUNK_LENGTH = 1_000_000
/** How many problems are kept; the server's import has the same limit. */
const MAX_PROBLEMS = 1000
/** The delimiters that the console recognizes. */
const DELIMITERS = [',', ';', '\t', '|']

export interface CsvFile {
  file: File
  delimiter: string
  newline: string
  headings: string[]
  preview: string[][]
}

/** A file with unbalanced quotes. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine'
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message)
  }
}

/** The result of checking all rows of a file. */
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

/** Reads every row of a file and collects its problems. */
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
  let remaining = ''
  const addRow = (cells: string[]): void => {
    const first = line
    line += 1 + cells.reduce((breaks, cell) => breaks + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
    if (cells.every((cell) => cell.trim() === '')) return
    if (isHeading) {
      isHeading = false
      return
    }
    scan.rows++
    if (scan.problems.length >= MAX_PROBLEMS) return
    for (const problem of problemsOf(cells, mapping, byName))
      scan.problems.push({ row: scan.rows, line: first, ...problem })
  }
  /** Parses the complete rows that have arrived; at the end everything. */
  const parse = (isEnd: boolean): void => {
    // The parser class itself parses a piece and returns the end of its last complete row.
    const { data, errors, meta } = new Papa.Parser({ delimiter: csv.delimiter, newline }).parse(
      remaining,
      0,
      !isEnd,
    ) as Papa.ParseResult<string[]>
    // A problem in an incomplete row may be caused by the cut.
    const error = errors.find(({ row }) => isEnd || (row ?? 0) < data.length)
    for (const [index, cells] of data.entries()) {
      if (error && index >= (error.row ?? 0)) break
      addRow(cells)
    }
    if (error) throw new UnreadableLine(line, error.message)
    remaining = isEnd ? '' : remaining.slice(meta.cursor)
  }
  const reader = csv.file.stream().getReader()
  const decoder = new TextDecoder()
  let read = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      remaining += decoder.decode(value, { stream: !done })
      if (done) break
      read += value.byteLength
      if (remaining.length < CHUNK_LENGTH) continue
      parse(false)
      onProgress(read / Math.max(1, csv.file.size))
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
  parse(true)
  return scan
}
