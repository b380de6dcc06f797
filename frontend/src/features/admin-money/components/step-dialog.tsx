import { useMutation } from '@tanstack/react-query'
import * as v from 'valibot'
import { EntityDialog } from '@/components/form/entity-dialog'
import { MoneyField, NumberField } from '@/components/form/number-field'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal, type Refusals } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { wholeNumber } from '@/lib/text/rules'
import { saveStepMutation, type Step } from '../api/prices'

const LONGEST = 3650
const DEAREST = 1_000_000

const REFUSALS: Refusals = {
  '23505': 'admin-money:prices.exists',
  changed_meanwhile: 'admin-money:prices.changed',
}
const FIELDS = { '23505': 'min_days' } as const

/** A price tier; for a new one without `step`. */
export function StepDialog({ step, onClose }: { step: Step | null; onClose: () => void }) {
  const { t } = useTranslation('admin-money')
  const language = useLanguage()
  const save = useMutation(saveStepMutation())
  const words = useRefusal(REFUSALS)
  const range = t('prices.range', { amount: formatAmount(DEAREST, 'eur', language) })
  const defaults: { min_days: number | null; unit_price_cents: number | null } = step ?? {
    min_days: null,
    unit_price_cents: null,
  }
  return (
    <EntityDialog
      title={t(step ? 'prices.editTitle' : 'prices.addTitle')}
      description={t('prices.intro')}
      action={t('prices.save')}
      onClose={onClose}
      schema={v.object({
        min_days: wholeNumber({ min: 1, max: LONGEST }),
        unit_price_cents: v.pipe(v.number(range), v.integer(range), v.minValue(0, range), v.maxValue(DEAREST, range)),
      })}
      defaults={defaults}
      submit={(values: Step) => save.mutateAsync({ step: values, before: step })}
      refusals={FIELDS}
      words={words}
    >
      <NumberField name="min_days" label={t('prices.minDays')} firstFocus />
      <MoneyField name="unit_price_cents" label={t('prices.unit')} />
    </EntityDialog>
  )
}
