/** All reports as a list; decisions are taken on the moderators' page. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Link } from '@/components/ui/link'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { ChoiceFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { PageHeader } from '@/components/ui/page-header'
import { REPORT_REASONS } from '@/entities/report/reasons'
import { formatShortDate } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import styles from './admin-moderation.module.css'
import { findCaseMutation, reportsTableQuery, fetchAllReports, type ReportRecord } from './api/reports'
import { REPORT_STATES, reportReasonOf, reportStateOf } from './model/report'

const SPEC = {
  sorts: ['created_at'],
  sort: '-created_at',
  filters: { state: REPORT_STATES, reason: REPORT_REASONS },
} as const

const LOOKS = { pending: 'waiting', resolved: 'good', dismissed: 'off' } as const

export function ReportsPage() {
  const { t } = useTranslation(['admin-moderation', 'leads', 'pages', 'report'])
  const language = useLanguage()
  const navigate = useNavigate()
  const table = useTableState(SPEC)
  const reports = useQuery(reportsTableQuery(table.state))
  const find = useMutation(findCaseMutation())
  const columns = useColumns()
  const open = (row: ReportRecord): void =>
    find.mutate(row, { onSuccess: (id) => void navigate(`${paths.adminModeration(language)}?case=${id}`) })
  return (
    <>
      <PageHeader title={t('pages:adminReports')} description={t('leads:adminReports')} />
      <DataTable
        label={t('pages:adminReports')}
        columns={columns}
        table={table}
        query={reports}
        rowId={(row) => row.id}
        rowName={nameOf}
        actions={(row) => [
          { label: t('admin-moderation:table.open'), icon: 'eye', disabled: find.isPending, onSelect: () => open(row) },
        ]}
        filters={
          <>
            <ChoiceFilter
              table={table}
              name="state"
              label={t('admin-moderation:table.status')}
              all={t('admin-moderation:all')}
              choices={REPORT_STATES.map((value) => ({ value, label: t(`admin-moderation:table.states.${value}`) }))}
            />
            <ChoiceFilter
              table={table}
              name="reason"
              label={t('admin-moderation:table.reason')}
              all={t('admin-moderation:all')}
              choices={REPORT_REASONS.map((value) => ({ value, label: t(`report:reason.${value}`) }))}
            />
          </>
        }
        empty={t('admin-moderation:table.empty')}
        failed={t('admin-moderation:table.failed')}
        file={{ name: 'reports', rows: () => fetchAllReports(table.state) }}
      />
    </>
  )
}

const serverOf = (row: ReportRecord) => row.servers ?? row.reviews?.servers ?? null
const nameOf = (row: ReportRecord): string => decodeStored(serverOf(row)?.name ?? row.id)

function useColumns(): Column<ReportRecord>[] {
  const { t } = useTranslation(['admin-moderation', 'report'])
  const language = useLanguage()
  return [
    {
      id: 'reason',
      title: t('admin-moderation:table.reason'),
      cell: (row) => (
        <span className={styles.change}>
          {t(`report:reason.${reportReasonOf(row.reason)}`)}
          {row.custom_reason !== null && <span className={styles.note}>{decodeStored(row.custom_reason)}</span>}
        </span>
      ),
      csv: (row) => row.reason,
    },
    {
      id: 'about',
      title: t('admin-moderation:table.about'),
      cell: (row) => <About row={row} />,
      csv: (row) => nameOf(row),
    },
    {
      id: 'reporter',
      title: t('admin-moderation:table.reporter'),
      cell: (row) => row.reporter?.username ?? row.notice?.name ?? t('admin-moderation:nobody'),
      csv: (row) => row.reporter?.username ?? row.notice?.name,
    },
    {
      id: 'created_at',
      title: t('admin-moderation:table.when'),
      sorts: true,
      cell: (row) => formatShortDate(row.created_at, language),
      csv: (row) => row.created_at,
    },
    {
      id: 'status',
      title: t('admin-moderation:table.status'),
      cell: (row) => (
        <span className={styles.change}>
          <StatusBadge status={LOOKS[reportStateOf(row.status)]}>
            {t(`admin-moderation:table.states.${reportStateOf(row.status)}`)}
          </StatusBadge>
          {row.resolution_note !== null && <span className={styles.note}>{row.resolution_note}</span>}
        </span>
      ),
      csv: (row) => row.status,
    },
  ]
}

function About({ row }: { row: ReportRecord }) {
  const { t } = useTranslation('admin-moderation')
  const language = useLanguage()
  const server = serverOf(row)
  if (server === null) return t('table.gone')
  const name = decodeStored(server.name)
  return (
    <Link to={paths.server(language, { slug: server.slug })}>
      {row.comment_id === null ? name : t('table.review', { name })}
    </Link>
  )
}
