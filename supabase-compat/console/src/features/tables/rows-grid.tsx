/** A page of rows as a grid, with headings that sort and cells that link to referenced rows. */
import { ActionIcon } from '@mantine/core'
import { IconArrowUpRight, IconKey, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { foreignKeyOf, type Constraint, type Relation } from '@/postgres/catalog'
import { DataGrid, GridHeading, type GridColumn } from '@/ui/data-grid'
import { editorOf, isNumeric, shownText } from './cell'
import type { OpenCell } from './cell-popover'
import { filterToText, type Sort } from './filters'
import type { PageRow } from './paging'
import classes from './tables.module.css'

interface Props {
  relation: Relation
  rows: readonly PageRow[]
  isBusy: boolean
  sort: readonly Sort[]
  onSort: (sort: Sort[]) => void
  selection: { rows: ReadonlySet<number>; onChange: (rows: ReadonlySet<number>) => void } | undefined
  onOpen: (cell: OpenCell) => void
}

export function RowsGrid({ relation, rows, isBusy, sort, onSort, selection, onOpen }: Props) {
  const { t } = useTranslation('tables')
  const columns = useMemo(() => gridColumns(relation), [relation])
  const references = useMemo(() => relation.columns.map(({ name }) => foreignKeyOf(relation, name)), [relation])
  const renderCell = useCallback(
    (row: number, column: number) => {
      const text = rows[row]?.cells[column] ?? null
      if (text === null) return <span className={classes.null}>NULL</span>
      const cell = shownText(text)
      const reference = references[column]
      return (
        <>
          {reference && !cell.isCut ? <ReferenceLink reference={reference} value={text} /> : null}
          {cell.text}
          {cell.isCut ? '…' : null}
        </>
      )
    },
    [rows, references],
  )
  const nextSort = (name: string): Sort[] => {
    const current = sort.find(({ column }) => column === name)
    if (!current) return [{ column: name, descending: false }]
    return current.descending ? [] : [{ column: name, descending: true }]
  }
  return (
    <DataGrid
      label={t('rows.label', { name: relation.name })}
      columns={columns}
      rowCount={rows.length}
      isBusy={isBusy}
      renderCell={renderCell}
      cellText={(row, column) => rows[row]?.cells[column] ?? ''}
      onActivate={(cell, element) => {
        const row = rows[cell.row]
        const column = relation.columns[cell.column]
        if (row && column) onOpen({ row, column, box: element.getBoundingClientRect() })
      }}
      {...(selection
        ? {
            selection: {
              ...selection,
              rowLabel: (row: number) => t('rows.select', { row: row + 1 }),
              allLabel: t('rows.selectAll'),
            },
          }
        : {})}
      renderHeader={(index) => {
        const column = relation.columns[index]!
        const order = sort.find((one) => one.column === column.name)
        const heading = <GridHeading title={column.name} subtitle={column.type} />
        const key = relation.key.includes(column.name) ? (
          <IconKey size={13} color="var(--console-accent)" aria-label={t('column.key')} />
        ) : null
        if (!column.sortable)
          return (
            <span className={classes.headingButton} style={{ cursor: 'default' }}>
              {key}
              {heading}
            </span>
          )
        return (
          <button type="button" className={classes.headingButton} onClick={() => onSort(nextSort(column.name))}>
            {key}
            {heading}
            {order ? (
              order.descending ? (
                <IconSortDescending size={14} aria-label={t('rows.descending')} />
              ) : (
                <IconSortAscending size={14} aria-label={t('rows.ascending')} />
              )
            ) : null}
          </button>
        )
      }}
    />
  )
}

function ReferenceLink({ reference, value }: { reference: Constraint; value: string }) {
  const { t } = useTranslation('tables')
  const { target_schema: schema, target_table: table, target_columns: columns } = reference
  const filter = filterToText({ column: columns?.[0] ?? '', operator: 'eq', value })
  return (
    <ActionIcon
      component={Link}
      to={`/tables/${encodeURIComponent(schema ?? '')}/${encodeURIComponent(table ?? '')}?${new URLSearchParams({ filter })}`}
      className={classes.reference}
      variant="subtle"
      size={18}
      aria-label={t('rows.follow', { table, value })}
    >
      <IconArrowUpRight size={14} />
    </ActionIcon>
  )
}

const WIDTHS: Record<string, number> = {
  uuid: 290,
  timestamptz: 240,
  timestamp: 200,
  date: 110,
  bool: 90,
  json: 260,
  jsonb: 260,
}

function gridColumns(relation: Relation): GridColumn[] {
  return relation.columns.map((column) => {
    const minimum = Math.min(260, 48 + 8 * Math.max(column.name.length, Math.min(column.type.length, 24)))
    const preferred = WIDTHS[column.base] ?? (editorOf(column) === 'number' ? 110 : 190)
    return {
      id: column.name,
      title: column.name,
      subtitle: column.type,
      width: Math.max(minimum, preferred),
      isNumeric: isNumeric(column),
    }
  })
}
