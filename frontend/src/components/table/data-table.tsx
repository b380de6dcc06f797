/**
 * Rows of the database as a table: sorted, filtered and paginated by the server, with its state in
 * the address. Large, so only lazily loaded pages use it. On a phone each row is a card.
 */
import { useEffect, type ReactNode } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { PanelEmpty } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import { TableFoot } from './table-foot'
import { TableLoading } from './table-loading'
import { TableRows } from './table-rows'
import type { DataTableProps } from './types'
import type { ShownTable } from './use-table-state'
import styles from './data-table.module.css'

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { table, query, columns, label } = props
  const page = query.data?.page
  const { correctPage, state } = table
  const isStale = query.isPlaceholderData
  useEffect(() => {
    if (page !== undefined && !isStale && page !== state.page) correctPage(page)
  })
  return (
    <section className={styles.frame} aria-label={label}>
      {props.filters && (
        <div className={styles.filters} role="search">
          {props.filters}
        </div>
      )}
      <QueryStates
        query={query}
        loading={<TableLoading columns={columns} rows={Math.min(state.size, 10)} />}
        failed={props.failed}
      >
        {(data) =>
          data.count === 0 ? (
            <NoRows table={table} empty={props.empty} />
          ) : (
            <>
              {/* The key clears the selection when the page of rows changes. */}
              <TableRows key={JSON.stringify(state)} {...props} rows={data.rows} />
              <TableFoot {...props} data={data} />
            </>
          )
        }
      </QueryStates>
    </section>
  )
}

function NoRows({ table, empty }: { table: ShownTable; empty: ReactNode }) {
  const { t } = useTranslation('table')
  if (!table.isFiltered) return <PanelEmpty framed>{empty}</PanelEmpty>
  return (
    <PanelEmpty framed action={<Button onClick={table.clearFilters}>{t('clearFilters')}</Button>}>
      {t('noMatch')}
    </PanelEmpty>
  )
}
