import { useTable, type Row as TableRow } from '@tanstack/react-table'
import { useMemo, type KeyboardEvent } from 'react'
import { classes } from '@/components/ui/classes'
import { Checkbox } from '@/components/ui/checkbox'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useTranslation } from '@/lib/i18n/i18n'
import { definitionsOf, features, type Features } from './columns'
import type { DataTableProps } from './types'
import { RowMenu } from './row-menu'
import type { ShownTable } from './use-table-state'
import styles from './data-table.module.css'

/** The rows of one page, with their selection and the actions on selected rows. */
export function TableRows<Row extends object>(props: DataTableProps<Row> & { rows: Row[] }) {
  const { t } = useTranslation('table')
  const { columns, rows, rowId, rowName, actions, bulk } = props
  const definitions = useMemo(() => definitionsOf(columns), [columns])
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowId })
  const chosen = table.getSelectedRowModel().rows.map(({ original }) => original)
  const clear = (): void => table.resetRowSelection(true)
  return (
    <>
      {bulk && chosen.length > 0 && (
        <div className={styles.bulk} role="toolbar" aria-label={t('bulk')}>
          <span role="status">{t('chosen', { count: chosen.length })}</span>
          {bulk(chosen, clear)}
        </div>
      )}
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={props.label} aria-busy={props.query.isPlaceholderData}>
          <thead className={styles.head}>
            <tr>
              {bulk && (
                <th className={styles.narrow}>
                  <Checkbox
                    bare
                    label={t('chooseAll')}
                    checked={table.getIsAllPageRowsSelected()}
                    mixed={table.getIsSomePageRowsSelected()}
                    onChange={(event) => table.toggleAllPageRowsSelected(event.target.checked)}
                  />
                </th>
              )}
              {table.getFlatHeaders().map(({ column }) => (
                <Head
                  key={column.id}
                  id={column.id}
                  title={String(column.columnDef.header)}
                  table={props.table}
                  sorts={column.columnDef.meta?.sorts === true}
                  numeric={column.columnDef.meta?.numeric === true}
                />
              ))}
              {actions && (
                <th className={styles.narrow}>
                  <VisuallyHidden>{t('actions')}</VisuallyHidden>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} className={classes(styles.row, row.getIsSelected() && styles.chosen)}>
                {bulk && (
                  <td className={styles.choice}>
                    <Checkbox
                      bare
                      label={t('choose', { name: rowName(row.original) })}
                      checked={row.getIsSelected()}
                      onChange={(event) => row.toggleSelected(event.target.checked)}
                      onKeyDown={moveBetweenRows}
                    />
                  </td>
                )}
                <Cells row={row} />
                {actions && (
                  <td className={styles.menu}>
                    <RowMenu name={rowName(row.original)} actions={actions(row.original)} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Cells<Row extends object>({ row }: { row: TableRow<Features, Row> }) {
  return row.getAllCells().map((cell, index) => {
    const { header, meta, cell: draw } = cell.column.columnDef
    const content = typeof draw === 'function' ? draw(cell.getContext()) : draw
    const className = classes(styles.cell, meta?.numeric && styles.numeric)
    // The first column is the header of its row.
    return index === 0 ? (
      <th key={cell.id} scope="row" className={styles.name}>
        {content}
      </th>
    ) : (
      <td key={cell.id} className={className} data-title={String(header)}>
        {content}
      </td>
    )
  })
}

interface HeadProps {
  id: string
  title: string
  table: ShownTable
  sorts: boolean
  numeric: boolean
}

function Head({ id, title, table, sorts, numeric }: HeadProps) {
  const { sort } = table.state
  const sorted = sort.column === id
  const className = classes(numeric && styles.numeric)
  if (!sorts)
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    )
  return (
    <th scope="col" className={className} aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={classes(styles.sort, sorted && styles.sorted)} onClick={() => table.sortBy(id)}>
        {title}
        <span className={styles.arrow}>
          <Icon name={sorted && sort.descending ? 'arrow-down' : 'arrow-up'} size={16} />
        </span>
      </button>
    </th>
  )
}

/** Arrow keys move between the checkboxes of the rows. */
function moveBetweenRows(event: KeyboardEvent<HTMLInputElement>): void {
  const row = event.currentTarget.closest('tr')
  const next =
    event.key === 'ArrowDown' ? row?.nextElementSibling : event.key === 'ArrowUp' ? row?.previousElementSibling : null
  const box = next?.querySelector<HTMLInputElement>('input[type="checkbox"]')
  if (!box) return
  event.preventDefault()
  box.focus()
}
