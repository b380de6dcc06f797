/** A file of comma-separated values into a table: preview, columns, a check of every row, and only then the rows. */
import {
  Alert,
  Button,
  FileButton,
  Group,
  Modal,
  Progress,
  ScrollArea,
  Select,
  Stack,
  Switch,
  Table,
  Text,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Papa from 'papaparse'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column, Relation } from '@/postgres/catalog'
import { refusalText, runQuery } from '@/postgres/run-query'
import { importStatement, type ImportMode } from './changes'
import {
  chunksOf,
  mappedColumns,
  missingColumns,
  problemsOf,
  proposeMapping,
  valuesOf,
  type Mapping,
  type RowProblem,
} from './csv'
import { rowKeys } from './rows'

/** What is sent at once; a request has a largest size. */
const CHUNK_BYTES = 1_200_000
const CHUNK_ROWS = 10_000
const PREVIEW_ROWS = 8
const SHOWN_PROBLEMS = 100
/** Larger files than this are for `psql`, since the whole of it is held here. */
const LARGEST_FILE = 100_000_000

interface CsvFile {
  name: string
  headings: string[]
  rows: string[][]
}

export function ImportDialog({ relation, onClose }: { relation: Relation; onClose: () => void }) {
  const { t } = useTranslation('tables')
  const [file, setFile] = useState<CsvFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = async (chosen: File | null): Promise<void> => {
    setProblem(null)
    if (!chosen) return
    if (chosen.size > LARGEST_FILE) return setProblem(t('import.tooLarge'))
    const { data, errors } = Papa.parse<string[]>(await chosen.text(), { skipEmptyLines: 'greedy' })
    const [headings, ...rows] = data
    const broken = errors.find(({ type }) => type !== 'Delimiter')
    if (broken) return setProblem(t('import.unreadable', { line: (broken.row ?? 0) + 1, message: broken.message }))
    if (!headings || rows.length === 0) return setProblem(t('import.empty'))
    setFile({ name: chosen.name, headings, rows })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('import.title', { name: relation.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="sm">
        {file ? (
          <ImportForm relation={relation} file={file} onClose={onClose} />
        ) : (
          <>
            <Text size="sm">{t('import.explanation')}</Text>
            <Group>
              <FileButton
                accept=".csv,.tsv,.txt,text/csv"
                onChange={(chosen) => void read(chosen)}
                inputProps={{ 'aria-label': t('import.choose') }}
              >
                {(props) => <Button {...props}>{t('import.choose')}</Button>}
              </FileButton>
            </Group>
          </>
        )}
        {problem ? <Alert color="red">{problem}</Alert> : null}
      </Stack>
    </Modal>
  )
}

function ImportForm({ relation, file, onClose }: { relation: Relation; file: CsvFile; onClose: () => void }) {
  const { t } = useTranslation('tables')
  const client = useQueryClient()
  const [mapping, setMapping] = useState<Mapping>(() => proposeMapping(file.headings, relation.columns))
  const [skipsBad, setSkipsBad] = useState(false)
  const [progress, setProgress] = useState(0)
  const columns = useMemo(() => mappedColumns(mapping, relation.columns), [mapping, relation])
  const rows = useMemo(
    () => file.rows.map((row) => valuesOf(row, mapping, relation.columns)),
    [file, mapping, relation],
  )
  const missing = missingColumns(mapping, relation.columns)
  const foreseen = useMemo(() => problemsOf(rows, columns), [rows, columns])
  const run = useMutation({
    meta: { isQuiet: true },
    mutationFn: async (): Promise<{ refused: RowProblem[]; imported: number }> => {
      const chunks = chunksOf(rows, CHUNK_BYTES, CHUNK_ROWS)
      // Several requests are several transactions, so that all of them are tried before the first one counts.
      if (!skipsBad && chunks.length > 1) {
        const refused = await runChunks(relation, columns, chunks, 'check', (part) => setProgress(part / 2))
        if (refused.length > 0) return { refused, imported: 0 }
      }
      const refused = await runChunks(relation, columns, chunks, skipsBad ? 'good' : 'all', (part) =>
        setProgress(chunks.length > 1 && !skipsBad ? 0.5 + part / 2 : part),
      )
      return { refused, imported: skipsBad || refused.length === 0 ? rows.length - refused.length : 0 }
    },
    onSuccess: ({ refused, imported }) => {
      void client.invalidateQueries({ queryKey: rowKeys.table(relation) })
      if (refused.length > 0) return
      notifications.show({
        closeButtonProps: { 'aria-label': t('close') },
        message: t('import.done', { count: imported }),
      })
      onClose()
    },
  })
  const problems = run.data && run.data.refused.length > 0 ? run.data.refused : foreseen
  return (
    <Stack gap="sm">
      <Text size="sm">{t('import.found', { count: file.rows.length, name: file.name })}</Text>
      <Preview relation={relation} file={file} mapping={mapping} problems={problems} onChange={setMapping} />
      {missing.length > 0 ? <Alert color="orange">{t('import.missing', { columns: missing.join(', ') })}</Alert> : null}
      {run.data && run.data.refused.length > 0 ? (
        <Alert color="orange">
          {run.data.imported > 0 ? t('import.partly', { count: run.data.imported }) : t('import.nothing')}
        </Alert>
      ) : null}
      {run.isError ? <Alert color="red">{refusalText(run.error)}</Alert> : null}
      <Problems problems={problems} />
      <Switch
        label={t('import.skip')}
        checked={skipsBad}
        onChange={(event) => setSkipsBad(event.currentTarget.checked)}
      />
      {run.isPending ? <Progress value={progress * 100} animated aria-label={t('import.running')} /> : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          loading={run.isPending}
          disabled={columns.length === 0 || missing.length > 0 || (foreseen.length > 0 && !skipsBad)}
          onClick={() => run.mutate()}
        >
          {t('import.run', { count: file.rows.length })}
        </Button>
      </Group>
    </Stack>
  )
}

async function runChunks(
  relation: Relation,
  columns: readonly Column[],
  chunks: (string | null)[][][],
  mode: ImportMode,
  onProgress: (part: number) => void,
): Promise<RowProblem[]> {
  const problems: RowProblem[] = []
  let first = 0
  for (const [index, chunk] of chunks.entries()) {
    const answer = await runQuery({
      query: importStatement(relation, columns, chunk, mode),
      isReadOnly: false,
      timeout: 300_000,
    })
    const result = (answer.results ?? [answer]).find((one) => one.columns.length === 4)
    for (const [line, , message, detail] of result?.rows ?? [])
      problems.push({ line: first + Number(line), problem: { message: [message, detail].filter(Boolean).join('. ') } })
    first += chunk.length
    onProgress((index + 1) / chunks.length)
  }
  return problems
}

interface PreviewProps {
  relation: Relation
  file: CsvFile
  mapping: Mapping
  problems: readonly RowProblem[]
  onChange: (mapping: Mapping) => void
}

function Preview({ relation, file, mapping, problems, onChange }: PreviewProps) {
  const { t } = useTranslation('tables')
  const options = relation.columns.filter(({ generated }) => !generated).map(({ name }) => name)
  const bad = new Set(problems.flatMap(({ line, column }) => (column ? [`${line}.${column}`] : [])))
  return (
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('import.preview') }}>
      <Table withTableBorder withColumnBorders fz="xs" style={{ minWidth: file.headings.length * 140 }}>
        <Table.Thead>
          <Table.Tr>
            {file.headings.map((heading, place) => (
              // Headings of a file may repeat.
              <Table.Th key={`${place}-${heading}`}>
                <Select
                  size="xs"
                  label={heading || String(place + 1)}
                  placeholder={t('import.leftOut')}
                  data={options.filter((name) => name === mapping[place] || !mapping.includes(name))}
                  value={mapping[place] ?? null}
                  clearable
                  searchable
                  onChange={(name) => onChange(mapping.with(place, name))}
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {file.rows.slice(0, PREVIEW_ROWS).map((row, line) => (
            <Table.Tr key={`${line}-${row.join()}`}>
              {file.headings.map((heading, place) => (
                <Table.Td
                  key={`${place}-${heading}`}
                  c={bad.has(`${line + 1}.${mapping[place]}`) ? 'var(--console-bad)' : undefined}
                  maw={220}
                  className="truncate"
                >
                  {row[place]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

function Problems({ problems }: { problems: readonly RowProblem[] }) {
  const { t } = useTranslation('tables')
  if (problems.length === 0) return null
  return (
    <Alert color="red" title={t('import.problems', { count: problems.length })}>
      <ScrollArea.Autosize
        mah={160}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('import.problems', { count: problems.length }) }}
      >
        {problems.slice(0, SHOWN_PROBLEMS).map(({ line, column, problem }) => (
          <Text size="xs" key={`${line}.${column ?? ''}`}>
            {t('import.line', { line })}
            {column ? ` · ${column}` : ''} · {typeof problem === 'string' ? t(`problem.${problem}`) : problem.message}
          </Text>
        ))}
      </ScrollArea.Autosize>
    </Alert>
  )
}
