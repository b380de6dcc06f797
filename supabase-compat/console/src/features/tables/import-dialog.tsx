/** Imports a CSV file into a table: preview, mapping, a check of every row, and then the import. */
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
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import type { Relation } from '@/postgres/catalog'
import { refusalText } from '@/postgres/run-query'
import { mappedColumns, missingColumns, proposeMapping, type Mapping, type RowProblem } from './csv'
import { openCsv, scanCsv, UnreadableLine, type CsvFile } from './csv-file'
import { importRows, type ImportOutcome } from './import-rows'
import { rowKeys } from './rows'

const SHOWN_PROBLEMS = 100
/** The console's own limit. */
const LARGEST_FILE = 4_000_000_000

export function ImportDialog({ relation, onClose }: { relation: Relation; onClose: () => void }) {
  const { t } = useTranslation('tables')
  const [csv, setCsv] = useState<CsvFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const open = async (chosen: File | null): Promise<void> => {
    setProblem(null)
    if (!chosen) return
    if (chosen.size > LARGEST_FILE) return setProblem(t('import.tooLarge'))
    const opened = await openCsv(chosen)
    if ('problem' in opened) return setProblem(t('import.empty'))
    setCsv(opened)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('import.title', { name: relation.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
      // A click outside of the dialog would end an import.
      closeOnClickOutside={false}
    >
      <Stack gap="sm">
        {csv ? (
          <ImportForm relation={relation} csv={csv} onClose={onClose} />
        ) : (
          <>
            <Text size="sm">{t('import.explanation')}</Text>
            <Group>
              <FileButton
                accept=".csv,.tsv,.txt,text/csv"
                onChange={(chosen) => void open(chosen)}
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

function ImportForm({ relation, csv, onClose }: { relation: Relation; csv: CsvFile; onClose: () => void }) {
  const { t } = useTranslation('tables')
  const [mapping, setMapping] = useState<Mapping>(() => proposeMapping(csv.headings, relation.columns))
  const [skipsRefused, setSkipsRefused] = useState(false)
  const [checked, setChecked] = useState(0)
  const columns = useMemo(() => mappedColumns(mapping, relation.columns), [mapping, relation])
  const missing = missingColumns(mapping, relation.columns)
  const { file } = csv
  const scan = useQuery({
    queryKey: ['csv', file.name, file.size, file.lastModified, relation.schema, relation.name, mapping],
    queryFn: ({ signal }) => scanCsv(csv, mapping, relation.columns, { signal, onProgress: setChecked }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const { run, progress } = useImport(relation, onClose)
  const expectedProblems = scan.data?.problems ?? []
  const refused = run.data?.refused ?? []
  const problems = refused.length > 0 ? refused : expectedProblems
  const count = scan.data?.rows ?? 0
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {scan.data ? t('import.found', { count, name: file.name }) : t('import.checking', { name: file.name })}
      </Text>
      {scan.isFetching ? (
        <Progress value={checked * 100} size="xs" aria-label={t('import.checking', { name: file.name })} />
      ) : null}
      <Preview relation={relation} csv={csv} mapping={mapping} problems={problems} onChange={setMapping} />
      {missing.length > 0 ? <Alert color="orange">{t('import.missing', { columns: missing.join(', ') })}</Alert> : null}
      {scan.error instanceof UnreadableLine ? (
        <Alert color="red">{t('import.unreadable', { line: scan.error.line, message: scan.error.message })}</Alert>
      ) : null}
      {run.data && refused.length > 0 ? <RefusedRows outcome={run.data} /> : null}
      {run.isError ? <Alert color="red">{refusalText(run.error)}</Alert> : null}
      <Problems problems={problems} />
      <Switch
        label={t('import.skip')}
        checked={skipsRefused}
        disabled={run.isPending}
        onChange={(event) => setSkipsRefused(event.currentTarget.checked)}
      />
      {run.isPending ? <UploadProgress progress={progress} size={file.size} /> : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          loading={run.isPending}
          disabled={
            !scan.data || columns.length === 0 || missing.length > 0 || (expectedProblems.length > 0 && !skipsRefused)
          }
          onClick={() => run.mutate({ csv, mapping, skipsRefused })}
        >
          {t('import.run', { count })}
        </Button>
      </Group>
    </Stack>
  )
}

/** Uploads the file. Closing the dialog cancels it, and nothing is imported. */
function useImport(relation: Relation, onClose: () => void) {
  const { t } = useTranslation('tables')
  const client = useQueryClient()
  const [progress, setProgress] = useState(0)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const run = useMutation({
    meta: { isQuiet: true },
    mutationFn: (order: { csv: CsvFile; mapping: Mapping; skipsRefused: boolean }) => {
      setProgress(0)
      controller.current = new AbortController()
      return importRows({ ...order, relation, signal: controller.current.signal, onProgress: setProgress })
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
  return { run, progress }
}

function UploadProgress({ progress, size }: { progress: number; size: number }) {
  const { t } = useTranslation('tables')
  const formats = useFormats()
  return (
    <Stack gap={4}>
      <Progress value={progress * 100} animated aria-label={t('import.running')} />
      <Text size="xs" c="dimmed" className="figures">
        {progress < 1
          ? t('import.sent', { done: formats.size(progress * size), total: formats.size(size) })
          : t('import.saving')}
      </Text>
    </Stack>
  )
}

function RefusedRows({ outcome }: { outcome: ImportOutcome }) {
  const { t } = useTranslation('tables')
  if (outcome.imported > 0) return <Alert color="orange">{t('import.partly', { count: outcome.imported })}</Alert>
  return <Alert color="orange">{outcome.isCut ? t('import.givenUp') : t('import.nothing')}</Alert>
}

interface PreviewProps {
  relation: Relation
  csv: CsvFile
  mapping: Mapping
  problems: readonly RowProblem[]
  onChange: (mapping: Mapping) => void
}

function Preview({ relation, csv, mapping, problems, onChange }: PreviewProps) {
  const { t } = useTranslation('tables')
  const options = relation.columns.filter(({ generated }) => !generated).map(({ name }) => name)
  const invalidCells = new Set(problems.flatMap(({ row, column }) => (column ? [`${row}.${column}`] : [])))
  return (
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('import.preview') }}>
      <Table withTableBorder withColumnBorders fz="xs" style={{ minWidth: csv.headings.length * 140 }}>
        <Table.Thead>
          <Table.Tr>
            {csv.headings.map((heading, place) => (
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
          {csv.preview.map((row, place) => (
            <Table.Tr key={`${place}-${row.join()}`}>
              {csv.headings.map((heading, at) => (
                <Table.Td
                  key={`${at}-${heading}`}
                  c={invalidCells.has(`${place + 1}.${mapping[at]}`) ? 'var(--console-bad)' : undefined}
                  maw={220}
                  className="truncate"
                >
                  {row[at]}
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
        {problems.slice(0, SHOWN_PROBLEMS).map(({ row, line, column, problem }) => (
          <Text size="xs" key={`${row}.${column ?? ''}`}>
            {t('import.place', { row, line })}
            {column ? ` · ${column}` : ''} · {typeof problem === 'string' ? t(`problem.${problem}`) : problem.message}
          </Text>
        ))}
      </ScrollArea.Autosize>
    </Alert>
  )
}
