import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Facts, PanelRow } from '@/components/ui/panel'
import { StatusBadge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { useNow } from '@/components/ui/use-now'
import { formatDate, formatDay, formatMoney } from '@/lib/format'
import { paths } from '@/lib/paths'
import { decodeStored } from '@/lib/stored-text'
import { siteToday } from '@/lib/site-day'
import { useLanguage } from '@/lib/use-language'
import { paymentsQuery, spotsQuery } from '../api/purchases'
import { standingOfPayment } from '../model/payments'
import { standingOf } from '../model/spots'
import { OwnPanel } from './own-panel'
import styles from './rows.module.css'

const SPOT_STATES = ['pending', 'paid', 'active', 'suspended', 'expired', 'unpaid', 'refunded', 'cancelled'] as const
const PAYMENT_STATES = ['pending', 'paid', 'failed', 'abandoned', 'refunded'] as const

/** How each looks: what runs or is done, what is awaited, what went wrong, what is over. */
const LOOKS = {
  pending: 'waiting',
  paid: 'good',
  active: 'good',
  suspended: 'bad',
  expired: 'off',
  unpaid: 'off',
  cancelled: 'off',
  failed: 'bad',
  abandoned: 'off',
  refunded: 'off',
} as const satisfies Record<
  (typeof SPOT_STATES)[number] | (typeof PAYMENT_STATES)[number],
  ComponentProps<typeof StatusBadge>['status']
>
const POSITIONS = [1, 2, 3] as const

/** Advertisements the person booked. */
export function SpotsPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const today = siteToday(useNow(60_000))
  return (
    <OwnPanel
      title={t('spots.title')}
      intro={t('spots.intro')}
      query={useQuery(spotsQuery(userId))}
      unreadable={t('spots.unreadable')}
      empty={t('spots.empty')}
      next={<ButtonLink to={paths.arcadeSpotsManagement(language)}>{t('spots.book')}</ButtonLink>}
    >
      {(spot) => (
        <PanelRow
          key={spot.id}
          mark={<Icon name="games" />}
          title={t(`spots.position.${known(POSITIONS, spot.position)}`)}
          badge={<SpotStanding standing={known(SPOT_STATES, standingOf(spot, today))} />}
          details={t('spots.dates', {
            from: formatDay(spot.start_date, language),
            to: formatDay(spot.end_date, language),
          })}
          action={<span className={styles.amount}>{formatMoney(spot.amount_cents, 'eur', language)}</span>}
        />
      )}
    </OwnPanel>
  )
}

/** What was paid for Prestige. */
export function PaymentsPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const now = useNow(60_000)
  return (
    <OwnPanel
      title={t('payments.title')}
      intro={t('payments.intro')}
      query={useQuery(paymentsQuery(userId))}
      unreadable={t('payments.unreadable')}
      empty={t('payments.empty')}
    >
      {(payment) => (
        <PanelRow
          key={payment.id}
          mark={<Icon name="crown" />}
          title={t('payments.days', { count: payment.days })}
          badge={<PaymentStanding standing={known(PAYMENT_STATES, standingOfPayment(payment, now))} />}
          details={
            <Facts
              facts={[
                payment.servers ? decodeStored(payment.servers.name) : t('payments.gone'),
                formatDate(payment.created_at, language),
              ]}
            />
          }
          action={
            <span className={styles.amount}>{formatMoney(payment.amount_cents, payment.currency, language)}</span>
          }
        />
      )}
    </OwnPanel>
  )
}

function SpotStanding({ standing }: { standing: (typeof SPOT_STATES)[number] }) {
  const { t } = useTranslation('profile')
  return <StatusBadge status={LOOKS[standing]}>{t(`spots.status.${standing}`)}</StatusBadge>
}

function PaymentStanding({ standing }: { standing: (typeof PAYMENT_STATES)[number] }) {
  const { t } = useTranslation('profile')
  return <StatusBadge status={LOOKS[standing]}>{t(`payments.status.${standing}`)}</StatusBadge>
}

/** The database allows these only; the types do not know. */
function known<Value extends string | number>(values: readonly [Value, ...Value[]], value: string | number): Value {
  return values.find((candidate) => candidate === value) ?? values[0]
}
