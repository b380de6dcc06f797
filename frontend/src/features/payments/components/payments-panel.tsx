import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { OwnPanel } from '@/components/query/own-panel'
import { StatusBadge } from '@/components/ui/badge'
import { Button, buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Facts, PanelRow } from '@/components/ui/panel'
import { useNow } from '@/components/ui/use-now'
import type { SaleTerms } from '@/entities/price/sale-terms'
import { lazyComponent } from '@/lib/browser/lazy'
import { formatDate, formatDay, formatTime } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { daysAfter, siteToday } from '@/lib/time/site-day'
import { paymentsQuery, type Payment } from '../api/payments'
import { documentNumber } from '../model/document'
import { mayWithdraw, refundReasonOf, paymentStatusOf, spotStatusOf, type PaymentStatus } from '../model/payment-status'
import styles from './payments.module.css'
import { useSubjectWords } from './subject-words'

/** Loaded lazily, because withdrawals are rare. */
const WithdrawalDialog = lazyComponent(async () => (await import('./withdrawal-dialog')).WithdrawalDialog)

const LOOKS = {
  open: 'waiting',
  unsure: 'waiting',
  paid: 'good',
  failed: 'bad',
  expired: 'off',
  toRefund: 'waiting',
  refunded: 'off',
} as const satisfies Record<PaymentStatus, 'good' | 'waiting' | 'bad' | 'off'>

const SPOT_LOOKS = { paid: 'good', active: 'good', suspended: 'bad', ended: 'off' } as const

interface PaymentsPanelProps {
  userId: string
  kind: 'prestige' | 'arcade'
  terms: SaleTerms
  /** A link to buy, beside the list and in its empty state. */
  next?: ReactNode
}

/** The person's purchases of one kind: state, documents, and actions to pay or withdraw. */
export function PaymentsPanel({ userId, kind, terms, next }: PaymentsPanelProps) {
  const { t } = useTranslation('payments')
  const query = useQuery({
    ...paymentsQuery(userId),
    select: (payments) => payments.filter((payment) => payment.kind === kind),
  })
  return (
    <OwnPanel
      title={t(`${kind}.title`)}
      intro={t(`${kind}.intro`)}
      query={query}
      unreadable={t('unreadable')}
      empty={t(`${kind}.empty`)}
      next={next}
      actions={next}
    >
      {(payment) => <PaymentRow key={payment.id} payment={payment} terms={terms} />}
    </OwnPanel>
  )
}

function PaymentRow({ payment, terms }: { payment: Payment; terms: SaleTerms }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const wordsOf = useSubjectWords()
  const now = useNow(30_000)
  const [withdraws, setWithdraws] = useState(false)
  const { arcade_spots: spot, servers: server } = payment
  const status = paymentStatusOf(payment, now)
  const isArcade = payment.kind === 'arcade'
  const name = wordsOf({ kind: payment.kind, days: payment.days, position: spot?.position ?? null })
  return (
    <PanelRow
      icon={<Icon name={isArcade ? 'games' : 'crown'} />}
      title={name}
      badge={<PaymentBadge payment={payment} status={status} />}
      details={
        <>
          <Facts
            facts={[
              server ? decodeStored(server.name) : isArcade ? null : t('gone'),
              spot &&
                // The ordered days: a withdrawal shortens the spot, not the order.
                t('dates', {
                  from: formatDay(spot.start_date, language),
                  to: formatDay(daysAfter(spot.start_date, payment.days - 1), language),
                }),
              t('orderedOn', { date: formatDate(payment.created_at, language) }),
            ]}
          />
          <MoneyWords payment={payment} status={status} />
        </>
      }
      links={
        <>
          {payment.payment_receipts.map((paper) => (
            <Link
              key={paper.number}
              to={paths.receipt(language, { number: String(paper.number) })}
              className={buttonClass({ variant: 'quiet', size: 'small' })}
            >
              {t(paper.kind === 'credit' ? 'paper.credit' : 'paper.receipt', { number: documentNumber(paper.number) })}
            </Link>
          ))}
          {mayWithdraw(payment, terms.withdrawalDays, now) && (
            <Button size="small" variant="quiet" aria-haspopup="dialog" onClick={() => setWithdraws(true)}>
              {t('withdrawal.begin')}
            </Button>
          )}
        </>
      }
      action={
        <>
          <span className={styles.amount}>{formatAmount(payment.amount_cents, payment.currency, language)}</span>
          {status === 'open' && payment.session_url && (
            <a
              href={payment.session_url}
              className={buttonClass({ variant: 'primary', size: 'small' })}
              aria-label={t('resumeNamed', { name })}
            >
              {t('resume')}
            </a>
          )}
          <Suspense>
            {withdraws && <WithdrawalDialog payment={payment} name={name} onClose={() => setWithdraws(false)} />}
          </Suspense>
        </>
      }
    />
  )
}

/** The badge of a paid spot shows whether it is displayed. */
function PaymentBadge({ payment, status }: { payment: Payment; status: PaymentStatus }) {
  const { t } = useTranslation('payments')
  const today = siteToday(useNow(60_000))
  const spotStatus = status === 'paid' && payment.arcade_spots ? spotStatusOf(payment.arcade_spots, today) : null
  if (spotStatus !== null) return <StatusBadge status={SPOT_LOOKS[spotStatus]}>{t(`spot.${spotStatus}`)}</StatusBadge>
  return <StatusBadge status={LOOKS[status]}>{t(`state.${status}`)}</StatusBadge>
}

/** The dates until which it is paid, covers or can be paid; the refund and its reason. */
function MoneyWords({ payment, status }: { payment: Payment; status: PaymentStatus }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const reason = refundReasonOf(payment.refund_reason)
  const amount = (cents: number): string => formatAmount(cents, payment.currency, language)
  const words = [
    status === 'open' &&
      t(payment.session_url ? 'payUntil' : 'providerAwaited', { time: formatTime(payment.expires_at, language) }),
    status === 'unsure' && t('unsure'),
    status === 'paid' &&
      payment.kind === 'prestige' &&
      payment.covers_until &&
      t('coversUntil', { date: formatDate(payment.covers_until, language) }),
    status === 'toRefund' && t('refund.coming', { amount: amount(payment.refund_cents) }),
    payment.refunded_cents > 0 &&
      t('refund.done', {
        amount: amount(payment.refunded_cents),
        date: formatDate(payment.refunded_at ?? payment.created_at, language),
      }),
    (status === 'toRefund' || status === 'refunded') && reason && t(`reason.${reason}`),
    payment.disputed_at && t('disputed'),
  ].filter((sentence) => typeof sentence === 'string')
  if (words.length === 0) return null
  return <span className={styles.words}>{words.join(' ')}</span>
}
