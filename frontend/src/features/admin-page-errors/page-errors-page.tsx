/** Errors of the site's scripts in visitors' browsers, the latest first. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { PageHeader } from '@/components/ui/page-header'
import { formatNumber } from '@/lib/i18n/format'
import { formatShortMoment } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { isPageKey, type PageKey } from '@/lib/routing/pages'
import { useLanguage } from '@/lib/i18n/use-language'
import { pageErrorsQuery, type PageError } from './api/page-errors'
import { REPORTED_PAGES } from './model/reported-pages'
import styles from './page-errors.module.css'

const SPEC = {
  sorts: ['last_at', 'first_at', 'reports'],
  sort: '-last_at',
  filters: { name: 'text', page: REPORTED_PAGES },
} as const

export function PageErrorsPage() {
  const { t } = useTranslation(['admin-page-errors', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const errors = useQuery(pageErrorsQuery(table.state))
  const nameOf = usePageNames()
  const columns = useColumns(nameOf)
  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminPageErrors')} description={t('leads:adminPageErrors')} />
      <DataTable
        label={t('pages:adminPageErrors')}
        columns={columns}
        table={table}
        query={errors}
        rowId={(error) => String(error.id)}
        rowName={(error) => `${error.name}, ${nameOf(error.page)}`}
        filters={
          <>
            <TextFilter table={table} name="name" label={t('filter.name')} />
            <ChoiceFilter
              table={table}
              name="page"
              label={t('filter.page')}
              all={t('filter.all')}
              choices={REPORTED_PAGES.map((page) => ({ value: page, label: nameOf(page) }))}
            />
          </>
        }
        empty={t('empty')}
        failed={t('failed')}
      />
    </div>
  )
}

/** A page's name in the reader's language; a page that no longer exists keeps its key. */
function usePageNames(): (page: string) => string {
  const { t } = useTranslation(['admin-page-errors', 'pages'])
  return (page) => {
    if (page === 'missing') return t('missing')
    return isPageKey(page) ? t(`pages:${page satisfies PageKey}`) : page
  }
}

function useColumns(nameOf: (page: string) => string): Column<PageError>[] {
  const { t } = useTranslation('admin-page-errors')
  const language = useLanguage()
  return useMemo(() => {
    const moment = (time: string): string => formatShortMoment(time, language)
    return [
      { id: 'name', title: t('column.name'), cell: (error) => <code>{error.name}</code> },
      { id: 'page', title: t('column.page'), cell: (error) => nameOf(error.page) },
      {
        id: 'reports',
        title: t('column.reports'),
        sorts: true,
        numeric: true,
        cell: (error) => formatNumber(error.reports, language),
      },
      { id: 'last_at', title: t('column.last'), sorts: true, cell: (error) => moment(error.last_at) },
      { id: 'first_at', title: t('column.first'), sorts: true, cell: (error) => moment(error.first_at) },
      { id: 'release', title: t('column.release'), cell: (error) => <code>{error.release}</code> },
      {
        id: 'frames',
        title: t('column.frames'),
        cell: ({ frames: [innermost, ...outer] }) => (
          <details className={styles.frames}>
            <summary>
              <code>{innermost}</code>
            </summary>
            {outer.map((frame, index) => (
              <code key={index}>{frame}</code>
            ))}
          </details>
        ),
      },
    ]
  }, [t, language, nameOf])
}
