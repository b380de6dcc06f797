import { Skeleton } from '@/components/ui/skeleton'
import { useTranslation } from '@/lib/i18n/i18n'
import type { Column } from './columns'
import styles from './data-table.module.css'

/** A placeholder with the expected number of rows, in the table's own columns. */
export function TableLoading<Row>({ columns, rows }: { columns: readonly Column<Row>[]; rows: number }) {
  const { t } = useTranslation('ui')
  return (
    <div role="status" aria-label={t('loading')} className={styles.scroll}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.waiting}>
          {columns.map(({ id }, column) => (
            <Skeleton key={id} width={column === 0 ? '60%' : '40%'} height="1rem" />
          ))}
        </div>
      ))}
    </div>
  )
}
