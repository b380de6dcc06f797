import { useState } from 'react'
import { Button, ButtonLink } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast-store'
import { download } from '@/lib/browser/download'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import type { TablePage } from '@/lib/api/table-page'
import { useLanguage } from '@/lib/i18n/use-language'
import { csvOf } from './csv'
import type { DataTableProps } from './types'
import styles from './data-table.module.css'

/** The foot of a table: which rows of how many, pagination, rows per page, and the CSV file. */
export function TableFoot<Row extends object>(props: DataTableProps<Row> & { data: TablePage<Row> }) {
  const { t } = useTranslation('table')
  const language = useLanguage()
  const { table, data, label, columns, file } = props
  const { size } = table.state
  const last = Math.max(1, Math.ceil(data.count / size))
  const first = (data.page - 1) * size + 1
  const figures = { first, last: first + data.rows.length - 1, count: data.count }
  return (
    <div className={styles.foot}>
      <p role="status" className={styles.count}>
        {t('rows', {
          count: figures.count,
          first: formatNumber(figures.first, language),
          last: formatNumber(figures.last, language),
          total: formatNumber(figures.count, language),
        })}
      </p>
      <label className={styles.size}>
        {t('size')}
        <select value={size} onChange={(event) => table.resize(Number(event.target.value))} className={styles.select}>
          {table.sizes.map((rows) => (
            <option key={rows} value={rows}>
              {rows}
            </option>
          ))}
        </select>
      </label>
      {file && <FileButton columns={columns} file={file} />}
      {last > 1 && (
        <nav aria-label={t('pages', { label })} className={styles.pages}>
          <Step to={data.page - 1} last={last} table={table} label={t('previous')} icon="chevron-left" />
          <span aria-current="page">{t('page', { page: data.page, last })}</span>
          <Step to={data.page + 1} last={last} table={table} label={t('next')} icon="chevron-right" />
        </nav>
      )}
    </div>
  )
}

interface StepProps {
  to: number
  last: number
  table: DataTableProps<object>['table']
  label: string
  icon: 'chevron-left' | 'chevron-right'
}

function Step({ to, last, table, label, icon }: StepProps) {
  if (to < 1 || to > last) return null
  return <ButtonLink to={table.toPage(to)} size="small" icon={icon} aria-label={label} />
}

function FileButton<Row extends object>({
  columns,
  file,
}: Pick<DataTableProps<Row>, 'columns'> & { file: NonNullable<DataTableProps<Row>['file']> }) {
  const { t } = useTranslation('table')
  const language = useLanguage()
  const [busy, setBusy] = useState(false)

  async function save(): Promise<void> {
    setBusy(true)
    try {
      const written = columns.flatMap(({ title, csv }) => (csv ? [{ title, csv }] : []))
      const rows = (await file.rows()).map((row) => written.map(({ csv }) => csv(row)))
      download(
        `${file.name}.csv`,
        csvOf(
          written.map(({ title }) => title),
          rows,
          language,
        ),
        'text/csv;charset=utf-8',
      )
    } catch {
      showToast({ tone: 'danger', title: t('notSaved') })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button size="small" icon="download" busy={busy} onClick={() => void save()}>
      {t('save')}
    </Button>
  )
}
