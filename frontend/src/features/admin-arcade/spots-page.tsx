/** The three Arcade spots of the home page: their bookings, and the actions of administrators. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { Link } from '@/components/ui/link'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, DayFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { PageHeader } from '@/components/ui/page-header'
import { Picture } from '@/components/ui/picture'
import { lazyComponent } from '@/lib/browser/lazy'
import { formatDate } from '@/lib/i18n/format'
import { formatShortDate } from '@/lib/i18n/format-short-date'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import styles from './admin-arcade.module.css'
import { removeMutation, spotsQuery, suspendMutation, fetchAllSpots, type Spot } from './api/spots'
import { Calendar } from './components/calendar'
import { POSITIONS, STATUSES, positionOf, statusOf, type StatusName } from './model/tiles'

const GiveDialog = lazyComponent(async () => (await import('./components/give-dialog')).GiveDialog)

const SPEC = {
  sorts: ['start_date', 'end_date', 'position'],
  sort: '-start_date',
  filters: { status: STATUSES, position: POSITIONS, from: 'text', to: 'text' },
} as const

const LOOKS = {
  pending: 'waiting',
  paid: 'good',
  active: 'good',
  suspended: 'bad',
  ended: 'off',
  expired: 'off',
  cancelled: 'off',
} as const satisfies Record<StatusName, 'good' | 'waiting' | 'bad' | 'off'>

export function SpotsPage() {
  const { t } = useTranslation(['admin-arcade', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const spots = useQuery(spotsQuery(table.state))
  const suspend = useMutation(suspendMutation())
  const remove = useMutation(removeMutation())
  const [gives, setGives] = useState(false)
  const [doomed, setDoomed] = useState<Spot | null>(null)
  const columns = useColumns()
  const nameOf = useNames()

  function actionsOf(spot: Spot): RowAction[] {
    const isShown = spot.status === 'paid' || spot.status === 'active'
    return [
      ...(isShown
        ? [
            {
              label: t('admin-arcade:suspend'),
              icon: 'pause' as const,
              onSelect: () => suspend.mutate({ spot, suspended: true }),
            },
          ]
        : []),
      ...(spot.status === 'suspended'
        ? [
            {
              label: t('admin-arcade:resume'),
              icon: 'play' as const,
              onSelect: () => suspend.mutate({ spot, suspended: false }),
            },
          ]
        : []),
      { label: t('admin-arcade:remove.open'), icon: 'trash', tone: 'danger', onSelect: () => setDoomed(spot) },
    ]
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title={t('pages:adminArcadeSpots')}
        description={t('leads:adminArcadeSpots')}
        actions={
          <Button variant="primary" icon="plus" aria-haspopup="dialog" onClick={() => setGives(true)}>
            {t('admin-arcade:give.open')}
          </Button>
        }
      />
      <Calendar />
      <DataTable
        label={t('pages:adminArcadeSpots')}
        columns={columns}
        table={table}
        query={spots}
        rowId={(spot) => spot.id}
        rowName={nameOf}
        actions={actionsOf}
        filters={
          <>
            <ChoiceFilter
              table={table}
              name="status"
              label={t('admin-arcade:column.status')}
              all={t('admin-arcade:all')}
              choices={STATUSES.map((status) => ({ value: status, label: t(`admin-arcade:status.${status}`) }))}
            />
            <ChoiceFilter
              table={table}
              name="position"
              label={t('admin-arcade:column.position')}
              all={t('admin-arcade:all')}
              choices={POSITIONS.map((position) => ({
                value: position,
                label: t(`admin-arcade:position.${position}`),
              }))}
            />
            <DayFilter table={table} name="from" label={t('admin-arcade:from')} />
            <DayFilter table={table} name="to" label={t('admin-arcade:to')} />
          </>
        }
        empty={t('admin-arcade:empty')}
        failed={t('admin-arcade:failed')}
        file={{ name: 'arcade-spots', rows: () => fetchAllSpots(table.state) }}
      />
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => !open && setDoomed(null)}
        title={t('admin-arcade:remove.title', { name: doomed ? nameOf(doomed) : '' })}
        text={t(
          doomed?.payments.some(({ state }) => state === 'paid')
            ? 'admin-arcade:remove.textPaid'
            : 'admin-arcade:remove.text',
        )}
        confirm={t('admin-arcade:remove.confirm')}
        onConfirm={() => (doomed ? remove.mutateAsync(doomed.id) : undefined)}
      />
      <Suspense>{gives && <GiveDialog onClose={() => setGives(false)} />}</Suspense>
    </div>
  )
}

/** The name of a spot: its position and its days. */
function useNames(): (spot: Spot) => string {
  const { t } = useTranslation('admin-arcade')
  const language = useLanguage()
  return (spot) =>
    t('name', {
      position: t(`position.${positionOf(spot.position)}`),
      from: formatDate(spot.start_date, language),
      to: formatDate(spot.end_date, language),
    })
}

function useColumns(): Column<Spot>[] {
  const { t } = useTranslation('admin-arcade')
  const language = useLanguage()
  return useMemo(
    () => [
      {
        id: 'position',
        title: t('column.position'),
        sorts: true,
        cell: (spot) => (
          <span className={styles.tile}>
            <Picture src={spot.image_url} width={72} height={40} lazy />
            {t(`position.${positionOf(spot.position)}`)}
          </span>
        ),
        csv: (spot) => spot.position,
      },
      {
        id: 'start_date',
        title: t('column.start'),
        sorts: true,
        cell: (spot) => formatShortDate(spot.start_date, language),
        csv: (spot) => spot.start_date,
      },
      {
        id: 'end_date',
        title: t('column.end'),
        sorts: true,
        cell: (spot) => formatShortDate(spot.end_date, language),
        csv: (spot) => spot.end_date,
      },
      {
        id: 'status',
        title: t('column.status'),
        cell: (spot) => {
          const status = statusOf(spot.status)
          return <StatusBadge status={LOOKS[status]}>{t(`status.${status}`)}</StatusBadge>
        },
        csv: (spot) => spot.status,
      },
      {
        id: 'server',
        title: t('column.server'),
        cell: (spot) =>
          spot.servers ? (
            <Link to={paths.server(language, { slug: spot.servers.slug })} className={styles.link}>
              {decodeStored(spot.servers.name)}
            </Link>
          ) : (
            (spot.website_url ?? '–')
          ),
        csv: (spot) => (spot.servers ? decodeStored(spot.servers.name) : spot.website_url),
      },
      {
        id: 'price',
        title: t('column.price'),
        numeric: true,
        cell: ({ payments: [paid] }) => (paid ? formatAmount(paid.unit_price_cents, paid.currency, language) : '–'),
        csv: ({ payments: [paid] }) => (paid ? paid.unit_price_cents / 100 : 0),
      },
      {
        id: 'total',
        title: t('column.total'),
        numeric: true,
        cell: ({ payments: [paid] }) => (paid ? formatAmount(paid.amount_cents, paid.currency, language) : t('unpaid')),
        csv: ({ payments: [paid] }) => (paid ? paid.amount_cents / 100 : 0),
      },
      {
        id: 'payer',
        title: t('column.payer'),
        cell: ({ payments: [paid] }) => paid?.profiles?.username ?? '–',
        csv: ({ payments: [paid] }) => paid?.profiles?.username ?? null,
      },
    ],
    [t, language],
  )
}
