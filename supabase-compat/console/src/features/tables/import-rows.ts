/** Imports a file in one transaction on the server, which copies it while it is uploaded. */
import { ApiError, request, urlOf } from '@/api/client'
import { sendWithProgress } from '@/api/send-with-progress'
import type { Relation } from '@/postgres/catalog'
import { keepsEmpty, type Mapping, type RowProblem } from './csv'
import type { CsvFile } from './csv-file'

/** The result of an import. */
export interface ImportOutcome {
  imported: number
  refused: RowProblem[]
  /** Whether there were more problems than an import reports. */
  isCut: boolean
}

interface ImportReply {
  imported: number
  refused: { row: number; line: number; column: string | null; message: string; detail: string | null }[]
  truncated: boolean
}

export interface ImportRequest {
  relation: Relation
  csv: CsvFile
  mapping: Mapping
  /** Whether refused rows are skipped; otherwise one of them rolls everything back. */
  skipsRefused: boolean
  signal: AbortSignal
  /**
   * Between 0 and 1. The server reads no more than it has copied, so this is the progress of the
   * import.
   */
  onProgress: (part: number) => void
}

export async function importRows(order: ImportRequest): Promise<ImportOutcome> {
  const { relation, csv, mapping, signal } = order
  const id = crypto.randomUUID()
  const columns = mapping.map((name) => {
    const column = relation.columns.find((one) => one.name === name)
    return column ? { name: column.name, keeps_empty: keepsEmpty(column) } : null
  })
  const line = JSON.stringify({
    id,
    schema: relation.schema,
    table: relation.name,
    columns,
    delimiter: csv.delimiter,
    skips_refused: order.skipsRefused,
  })
  // A proxy may not forward the cancellation to the server.
  const cancel = (): void => void request<void>(`query/${id}`, { method: 'DELETE' }).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const text = await sendWithProgress(urlOf('import'), {
      body: new Blob([line, '\n', csv.file]),
      headers: { 'content-type': 'text/csv' },
      signal,
      onProgress: order.onProgress,
    })
    return outcomeOf(JSON.parse(text) as ImportReply)
  } catch (error) {
    const reply = error instanceof ApiError && error.code === 'rows_refused' ? error.details.outcome : undefined
    if (!reply) throw error
    return outcomeOf(reply as ImportReply)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function outcomeOf({ imported, refused, truncated }: ImportReply): ImportOutcome {
  return {
    imported,
    isCut: truncated,
    refused: refused.map(({ row, line, column, message, detail }) => ({
      row,
      line,
      ...(column ? { column } : {}),
      problem: { message: [message, detail].filter(Boolean).join('. ') },
    })),
  }
}
