/** The price of a day of an Arcade spot. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import * as v from 'valibot'
import { Form } from '@/components/form/form'
import { MoneyField } from '@/components/form/number-field'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { KeyValues } from '@/components/ui/key-values'
import { PageHeader } from '@/components/ui/page-header'
import { Panel, PanelLoading } from '@/components/ui/panel'
import { formatUnit } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { dailyPriceQuery, saveDailyPriceMutation } from './api/price'
import styles from './admin-arcade.module.css'

const DEAREST = 1_000_000
const EXAMPLES = [1, 7, 30]

export function ArcadePricePage() {
  const { t } = useTranslation(['admin-arcade', 'leads', 'pages'])
  const price = useQuery(dailyPriceQuery())
  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminArcadePricing')} description={t('leads:adminArcadePricing')} />
      <QueryStates query={price} loading={<PanelLoading rows={2} />} failed={t('admin-arcade:price.failed')}>
        {(cents) => <PriceForm cents={cents} />}
      </QueryStates>
    </div>
  )
}

function PriceForm({ cents }: { cents: number }) {
  const { t } = useTranslation('admin-arcade')
  const language = useLanguage()
  const save = useMutation(saveDailyPriceMutation())
  const range = t('price.range', { amount: formatAmount(DEAREST, 'eur', language) })
  const defaults: { cents: number | null } = { cents }
  const form = useForm({
    schema: v.object({
      cents: v.pipe(v.number(range), v.integer(range), v.minValue(1, range), v.maxValue(DEAREST, range)),
    }),
    defaults,
    values: defaults,
    submit: (values: { cents: number }) => save.mutateAsync(values.cents),
    guard: true,
  })
  return (
    <Form form={form} label={t('price.label')} className={styles.prices}>
      <Panel variant="boxed" title={t('price.label')} intro={t('price.intro')}>
        <MoneyField name="cents" label={t('price.unit')} />
        <Examples />
        <Submit>{t('price.save')}</Submit>
      </Panel>
    </Form>
  )
}

/** Examples of totals for the price that is being typed. */
function Examples() {
  const language = useLanguage()
  const cents = useWatch<{ cents: number | null }, 'cents'>({ name: 'cents' }) ?? 0
  return (
    <KeyValues
      facts={EXAMPLES.map((days) => ({
        name: formatUnit(days, 'day', language),
        value: formatAmount(cents * days, 'eur', language),
      }))}
    />
  )
}
