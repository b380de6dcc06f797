/** The result of a run: a grid, a chart, a plan, or the number of changed rows. */
import { Button, Code, CopyButton, Group, Menu, Modal, SegmentedControl, Text } from '@mantine/core'
import { IconChartLine, IconCopy, IconDownload, IconTerminal2 } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueryResult } from '@/postgres/run-query'
import { DataGrid } from '@/ui/data-grid'
import { EmptyState, SkeletonRows } from '@/ui/states'
import { numericColumns } from './chart-data'
import { csvOf, jsonOf, textOf } from './copy'
import { planOf } from './plan'
import { PlanView } from './plan-view'
import classes from './sql.module.css'
import type { Run } from './use-run'

const Chart = lazy(() => import('./chart').then((module) => ({ default: module.Chart })))

export function Results({ run }: { run: Run }) {
  const { t } = useTranslation('sql')
  const { response, isPlan } = run
  const results = useMemo(() => (response ? (response.results ?? [response]) : []), [response])
  const [selected, setSelected] = useState<number | null>(null)
  if (!response)
    return run.failure ? null : (
      <EmptyState icon={IconTerminal2} title={t('results.none')} text={t('results.noneText')} />
    )
  const plan = isPlan ? planOf(results[0]?.rows[0]?.[0]) : undefined
  if (plan) return <PlanView plan={plan} />
  const selectedIndex = selected !== null && selected < results.length ? selected : results.length - 1
  return (
    <>
      {results.length > 1 ? (
        <SegmentedControl
          size="xs"
          aria-label={t('results.statements')}
          value={String(selectedIndex)}
          onChange={(next) => setSelected(Number(next))}
          data={results
            .slice(0, 20)
            .map((result, index) => ({ value: String(index), label: `${index + 1} · ${result.command}` }))}
        />
      ) : null}
      <Result key={selectedIndex} result={results[selectedIndex]!} />
    </>
  )
}

function Result({ result }: { result: QueryResult }) {
  const { t } = useTranslation('sql')
  const [view, setView] = useState('grid')
  const [open, setOpen] = useState<{ name: string; text: string } | null>(null)
  const canDraw = useMemo(() => numericColumns(result.columns, result.rows).length > 0, [result])
  const columns = useMemo(() => gridColumns(result), [result])
  const { rows } = result
  const renderCell = useCallback(
    (row: number, column: number) => {
      const value = rows[row]?.[column]
      if (value === null || value === undefined) return <span className={classes.null}>NULL</span>
      const text = textOf(value)
      return text.length > 300 ? `${text.slice(0, 300)}…` : text
    },
    [rows],
  )
  if (result.columns.length === 0)
    return <Text size="sm">{t('results.changed', { count: result.row_count, command: result.command })}</Text>
  return (
    <>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('results.view')}
            value={view}
            onChange={setView}
            data={[
              { value: 'grid', label: t('results.grid') },
              { value: 'chart', label: t('results.chart'), disabled: !canDraw },
            ]}
          />
          <Text size="xs" c={result.truncated ? 'var(--console-warning)' : 'dimmed'} className="figures">
            {result.truncated
              ? t('results.truncated', { count: rows.length })
              : t('results.rows', { count: rows.length })}
          </Text>
        </Group>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button size="xs" variant="default" leftSection={<IconCopy size={14} />}>
              {t('copy.label')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <CopyItem label={t('copy.csv')} text={() => csvOf(result)} />
            <CopyItem label={t('copy.json')} text={() => jsonOf(result)} />
            <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => download(csvOf(result))}>
              {t('copy.download')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {view === 'chart' && canDraw ? (
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <Chart key={result.columns.map(({ name }) => name).join()} result={result} />
        </Suspense>
      ) : rows.length === 0 ? (
        <EmptyState icon={IconChartLine} title={t('results.empty')} />
      ) : (
        <div className={classes.grid}>
          <DataGrid
            label={t('results.label')}
            columns={columns}
            rowCount={rows.length}
            renderCell={renderCell}
            cellText={(row, column) => textOf(rows[row]?.[column])}
            onActivate={({ row, column }) =>
              setOpen({ name: result.columns[column]!.name, text: textOf(rows[row]?.[column], true) })
            }
          />
        </div>
      )}
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open?.name}
        size="lg"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Code block style={{ maxHeight: '60vh', overflow: 'auto' }} tabIndex={0}>
          {open?.text.slice(0, 200_000)}
        </Code>
        <Group justify="flex-end" mt="sm">
          <CopyButton value={open?.text ?? ''}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? t('copy.done') : t('copy.label')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Modal>
    </>
  )
}

/** The text is computed on demand, because it is large for a hundred thousand rows. */
function CopyItem({ label, text }: { label: string; text: () => string }) {
  return (
    <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => void navigator.clipboard?.writeText(text())}>
      {label}
    </Menu.Item>
  )
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'result.csv'
  link.click()
  // The browser reads the file after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const NUMBER = /^(int|float|numeric|money|oid|bigint|integer|smallint|real|double)/

function gridColumns({ columns, rows }: QueryResult) {
  return columns.map(({ name, type }, index) => {
    const longest = rows
      .slice(0, 50)
      .reduce((most, row) => Math.max(most, textOf(row[index]).length), Math.max(name.length, type.length))
    return {
      // Column names of a result may repeat.
      id: `${index}-${name}`,
      title: name,
      subtitle: type,
      width: Math.max(80, Math.min(420, 26 + longest * 7.5)),
      isNumeric: NUMBER.test(type),
    }
  })
}
