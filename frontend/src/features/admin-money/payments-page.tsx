/** Every payment: search, totals and refunds. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { Link } from '@/components/ui/link'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, DayFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { PageHeader } from '@/components/ui/page-header'
import { lazyComponent } from '@/lib/browser/lazy'
import { formatDate } from '@/lib/i18n/format'
import { formatShortMoment } from '@/lib/i18n/format-short-date'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import styles from './admin-money.module.css'
import { ledgerQuery, fetchAllLedger, type LedgerRow } from './api/ledger'
import { Totals } from './components/totals'
import { STATES, WORDS, standingOf, type StateName } from './model/payment-status'
import { periodOf } from './model/period'

const RefundDialog = lazyComponent(async () => (await import('./components/refund-dialog')).RefundDialog)
const SettleDialog = lazyComponent(async () => (await import('./components/refund-dialog')).SettleDialog)

const SPEC = {
  sorts: ['created_at', 'amount_cents'],
  sort: '-created_at',
  filters: {
    q: 'text',
    state: ['trouble', ...STATES],
    kind: ['prestige', 'arcade'],
    provider: ['stripe', 'test'],
    from: 'text',
    to: 'text',
  },
} as const

const LOOKS = {
  open: 'waiting',
  paid: 'good',
  failed: 'bad',
  expired: 'off',
  to_refund: 'waiting',
  refunded: 'off',
} as const satisfies Record<StateName, 'good' | 'waiting' | 'bad' | 'off'>

type PaymentAction = { action: 'refund' | 'settle'; payment: LedgerRow }

export function PaymentsPage() {
  const { t } = useTranslation(['admin-money', 'leads', 'pages'])
  const language = useLanguage()
  const table = useTableState(SPEC)
  const payments = useQuery(ledgerQuery(table.state))
  const columns = useColumns()
  const [pendingAction, setAsked] = useState<PaymentAction | null>(null)
  const { from, to } = table.state.filters
  const close = (): void => setAsked(null)

  function actionsOf(payment: LedgerRow): RowAction[] {
    if (payment.state === 'paid' && payment.refunded_cents < payment.amount_cents)
      return [
        {
          label: t('admin-money:refund.open'),
          tone: 'danger',
          onSelect: () => setAsked({ action: 'refund', payment }),
        },
      ]
    if (payment.state === 'to_refund' && payment.refund_failed_at !== null)
      return [{ label: t('admin-money:settle.open'), onSelect: () => setAsked({ action: 'settle', payment }) }]
    return []
  }

  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminPrestigePayments')} description={t('leads:adminPrestigePayments')} />
      <Totals period={periodOf(from, to)} />
      <DataTable
        label={t('pages:adminPrestigePayments')}
        columns={columns}
        table={table}
        query={payments}
        rowId={(payment) => payment.id}
        rowName={(payment) =>
          `${payment.payer ?? t('admin-money:noPayer')}, ${formatDate(payment.created_at, language)}`
        }
        actions={actionsOf}
        filters={
          <>
            <TextFilter table={table} name="q" label={t('admin-money:filter.search')} />
            <ChoiceFilter
              table={table}
              name="state"
              label={t('admin-money:column.state')}
              all={t('admin-money:filter.all')}
              choices={[
                { value: 'trouble', label: t('admin-money:filter.trouble') },
                ...STATES.map((state) => ({ value: state, label: t(`admin-money:state.${WORDS[state]}`) })),
              ]}
            />
            <ChoiceFilter
              table={table}
              name="kind"
              label={t('admin-money:filter.kind')}
              all={t('admin-money:filter.all')}
              choices={[
                { value: 'prestige', label: t('admin-money:kind.prestige') },
                { value: 'arcade', label: t('admin-money:kind.arcade') },
              ]}
            />
            <ChoiceFilter
              table={table}
              name="provider"
              label={t('admin-money:column.provider')}
              all={t('admin-money:filter.all')}
              choices={[
                { value: 'stripe', label: 'Stripe' },
                { value: 'test', label: t('admin-money:provider.test') },
              ]}
            />
            <DayFilter table={table} name="from" label={t('admin-money:filter.from')} />
            <DayFilter table={table} name="to" label={t('admin-money:filter.to')} />
          </>
        }
        empty={t('admin-money:empty')}
        failed={t('admin-money:failed')}
        file={{ name: 'payments', rows: () => fetchAllLedger(table.state) }}
      />
      <Suspense>
        {pendingAction?.action === 'refund' && <RefundDialog payment={pendingAction.payment} onClose={close} />}
        {pendingAction?.action === 'settle' && <SettleDialog payment={pendingAction.payment} onClose={close} />}
      </Suspense>
    </div>
  )
}

function useColumns(): Column<LedgerRow>[] {
  const { t } = useTranslation('admin-money')
  const language = useLanguage()
  return useMemo(
    () => [
      {
        id: 'payer',
        title: t('column.payer'),
        cell: (payment) => payment.payer ?? t('noPayer'),
        csv: (payment) => payment.payer,
      },
      {
        id: 'created_at',
        title: t('column.date'),
        sorts: true,
        cell: (payment) => formatShortMoment(payment.created_at, language),
        csv: (payment) => payment.created_at,
      },
      {
        id: 'kind',
        title: t('column.subject'),
        cell: (payment) => <PaymentSubject payment={payment} />,
        csv: (payment) => `${payment.kind} ${payment.days} ${decodeStored(payment.server_name ?? '')}`.trim(),
      },
      {
        id: 'amount_cents',
        title: t('column.amount'),
        sorts: true,
        numeric: true,
        cell: (payment) => formatAmount(payment.amount_cents, payment.currency, language),
        csv: (payment) => payment.amount_cents / 100,
      },
      {
        id: 'state',
        title: t('column.state'),
        cell: (payment) => <State payment={payment} />,
        csv: (payment) => payment.state,
      },
      {
        id: 'provider',
        title: t('column.provider'),
        cell: (payment) =>
          payment.provider === 'test' ? t('provider.test') : payment.provider === null ? '–' : 'Stripe',
        csv: (payment) => payment.provider,
      },
      {
        id: 'refunded_cents',
        title: t('column.refunded'),
        numeric: true,
        cell: (payment) =>
          payment.refunded_cents === 0 ? '–' : formatAmount(payment.refunded_cents, payment.currency, language),
        csv: (payment) => payment.refunded_cents / 100,
      },
      {
        id: 'receipts',
        title: t('column.papers'),
        cell: (payment) => <ReceiptLinks numbers={payment.receipts ?? []} />,
        csv: (payment) => (payment.receipts ?? []).join(' '),
      },
    ],
    [t, language],
  )
}

function PaymentSubject({ payment }: { payment: LedgerRow }) {
  const { t } = useTranslation('admin-money')
  const language = useLanguage()
  const { kind, days, server_name: name, server_slug: slug } = payment
  return (
    <span className={styles.stack}>
      <span>{t(kind === 'arcade' ? 'subject.arcade' : 'subject.prestige', { count: days })}</span>
      {name !== null && slug !== null ? (
        <Link to={paths.server(language, { slug })} className={styles.link}>
          {decodeStored(name)}
        </Link>
      ) : (
        kind === 'prestige' && <span className={styles.muted}>{t('gone')}</span>
      )}
    </span>
  )
}

/** The state of a payment, and what needs a manual action. */
function State({ payment }: { payment: LedgerRow }) {
  const { t } = useTranslation('admin-money')
  const state = standingOf(payment.state)
  return (
    <span className={styles.stack}>
      <StatusBadge status={LOOKS[state]}>{t(`state.${WORDS[state]}`)}</StatusBadge>
      {payment.refund_failed_at !== null && payment.wants_person && (
        <span className={styles.trouble}>{t('trouble.failed')}</span>
      )}
      {payment.problem !== null && <span className={styles.muted}>{payment.problem}</span>}
      {payment.disputed_at !== null && <span className={styles.trouble}>{t('trouble.disputed')}</span>}
      {payment.refund_note !== null && <span className={styles.muted}>{payment.refund_note}</span>}
    </span>
  )
}

function ReceiptLinks({ numbers }: { numbers: readonly number[] }) {
  const { t } = useTranslation('admin-money')
  const language = useLanguage()
  if (numbers.length === 0) return '–'
  return (
    <span className={styles.papers}>
      {numbers.map((number) => (
        <Link
          key={number}
          to={paths.receipt(language, { number: String(number) })}
          className={styles.link}
          aria-label={t('paper', { number })}
        >
          {t('paperShort', { number })}
        </Link>
      ))}
    </span>
  )
}
