import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { goToCheckout } from '@/components/checkout/go-to-checkout'
import { ORDER_REFUSALS } from '@/components/checkout/order-words'
import { OrderTerms } from '@/components/checkout/order-terms'
import { Form } from '@/components/form/form'
import { useField } from '@/components/form/use-field'
import { useForm } from '@/components/form/use-form'
import { PriceSummary } from '@/components/money/price-summary'
import { Icon } from '@/components/ui/icon'
import { NumberInput } from '@/components/ui/number-input'
import { PanelFailure } from '@/components/ui/panel-failure'
import { RadioCards } from '@/components/ui/radio-cards'
import { useNow } from '@/components/ui/use-now'
import { formatDate, formatUnit } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PrestigeTarget } from '@/entities/prestige/dialog'
import { useRefusal } from '@/lib/i18n/refusal'
import type { SaleTerms } from '@/entities/price/sale-terms'
import { useLanguage } from '@/lib/i18n/use-language'
import { orderMutation } from '../api/order'
import { prestigeStepsQuery, prestigeTotalQuery } from '@/entities/price/queries'
import { untilQuery } from '../api/until'
import { MOST_DAYS, QUICK_DAYS, USUAL_DAYS, endAfter, orderSchema, runs, unitPriceOf, wholeDays } from '../model/days'
import styles from './prestige-form.module.css'

const GIVES = ['place', 'banner', 'colour', 'events', 'slot'] as const

export function PrestigeForm({ target, terms }: { target: PrestigeTarget; terms: SaleTerms }) {
  const { t } = useTranslation(['prestige', 'checkout'])
  const language = useLanguage()
  const order = useMutation(orderMutation())
  const words = useRefusal(ORDER_REFUSALS)
  const schema = useMemo(() => orderSchema({ consent: t('checkout:order.consentMissing') }), [t])
  const form = useForm({
    schema,
    defaults: { days: USUAL_DAYS as number | null, consent: false },
    submit: ({ days }) => order.mutateAsync({ serverId: target.id, days, language, beginsAtOnce: true }),
    onDone: (url) => goToCheckout(url),
    words,
    draft: `prestige.${target.id}`,
  })
  const days = wholeDays(useWatch({ control: form.fields.control, name: 'days' }))
  return (
    <Form form={form}>
      <DaysField />
      <PriceOfDays target={target} days={days} />
      <ul className={styles.gives} aria-label={t('prestige:gives.title')}>
        {GIVES.map((gift) => (
          <li key={gift}>
            <Icon name="check" size={18} />
            {t(`prestige:gives.${gift}`)}
          </li>
        ))}
      </ul>
      <OrderTerms terms={terms} consent={t('prestige:consent')} />
    </Form>
  )
}

/** A number of days: one of a few presets, or a custom one. */
function DaysField() {
  const { t } = useTranslation('prestige')
  const language = useLanguage()
  const steps = useQuery(prestigeStepsQuery()).data ?? []
  const label = t('days.own')
  const field = useField<number | null>({ name: 'days', label })
  const chosen = QUICK_DAYS.find((days) => days === field.value)
  return (
    <div className={styles.days}>
      <div className={styles.quick}>
        <RadioCards
          label={t('days.quick')}
          value={chosen === undefined ? null : String(chosen)}
          onValueChange={(days) => field.change(Number(days))}
          choices={QUICK_DAYS.map((days) => {
            const unit = unitPriceOf(steps, days)
            return {
              value: String(days),
              label: formatUnit(days, 'day', language),
              help: unit !== undefined && t('days.unit', { price: formatAmount(unit, 'EUR', language) }),
            }
          })}
        />
      </div>
      <NumberInput
        {...field.frame}
        label={label}
        ref={field.ref}
        unit={t('days.sign')}
        step={1}
        min={1}
        max={MOST_DAYS}
        value={field.value}
        onValueChange={field.change}
        onBlur={() => field.change(wholeDays(field.value))}
      />
    </div>
  )
}

/** The price of the days, and the date at which they end. */
function PriceOfDays({ target, days }: { target: PrestigeTarget; days: number }) {
  const { t } = useTranslation('prestige')
  const language = useLanguage()
  const now = useNow(60_000)
  const steps = useQuery(prestigeStepsQuery())
  const total = useQuery(prestigeTotalQuery(days))
  const until = useQuery(untilQuery(target.id)).data
  if (steps.isError || total.isError) {
    const retry = (): void => void Promise.all([steps.refetch(), total.refetch()])
    return <PanelFailure text={t('priceUnreadable')} busy={total.isFetching || steps.isFetching} onRetry={retry} />
  }
  if (total.data === null) return <p role="alert">{t('noPrice')}</p>
  const end = until === undefined ? '' : formatDate(endAfter(until, days, now), language)
  return (
    <div className={styles.cost}>
      <PriceSummary days={days} dailyCents={unitPriceOf(steps.data ?? [], days)} totalCents={total.data} />
      <p className={styles.until} aria-live="polite">
        <Icon name="crown" size={18} />
        {until === undefined
          ? '…'
          : runs(until, now)
            ? t('until.more', { date: end, from: formatDate(until, language) })
            : t('until.new', { date: end })}
      </p>
    </div>
  )
}
