/** A refund by an administrator: the amount and the reason. */
import { useMutation } from '@tanstack/react-query'
import * as v from 'valibot'
import { EntityDialog } from '@/components/form/entity-dialog'
import { MoneyField } from '@/components/form/number-field'
import { TextareaField } from '@/components/form/textarea-field'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal, type Refusals } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { requiredText } from '@/lib/text/rules'
import type { LedgerRow } from '../api/ledger'
import { refundMutation, settleMutation } from '../api/refund'

const NOTE_LIMIT = 500

const REFUSALS: Refusals = {
  refund_asked: 'admin-money:refusal.refundAsked',
  not_paid: 'admin-money:refusal.notPaid',
  refund_amount: 'admin-money:refusal.refundAmount',
  refund_settled: 'admin-money:refusal.refundSettled',
}

interface DialogProps {
  payment: LedgerRow
  onClose: () => void
}

export function RefundDialog({ payment, onClose }: DialogProps) {
  const { t } = useTranslation(['admin-money', 'ui'])
  const language = useLanguage()
  const refund = useMutation(refundMutation())
  const words = useRefusal(REFUSALS)
  const left = payment.amount_cents - payment.refunded_cents
  const amount = formatAmount(left, payment.currency, language)
  const between = t('admin-money:refund.between', { amount })
  return (
    <EntityDialog
      title={t('admin-money:refund.title', { name: payment.payer ?? t('admin-money:noPayer') })}
      description={t(payment.kind === 'arcade' ? 'admin-money:refund.introArcade' : 'admin-money:refund.introPrestige')}
      action={t('admin-money:refund.submit')}
      danger
      onClose={onClose}
      schema={v.object({
        cents: v.pipe(v.number(between), v.integer(between), v.minValue(1, between), v.maxValue(left, between)),
        note: requiredText(NOTE_LIMIT),
      })}
      defaults={{ cents: left, note: '' }}
      submit={(values) => refund.mutateAsync({ id: payment.id, ...values })}
      words={words}
    >
      <MoneyField name="cents" label={t('admin-money:refund.amount')} help={between} />
      <TextareaField
        name="note"
        label={t('admin-money:refund.note')}
        help={t('admin-money:refund.noteHelp')}
        limit={NOTE_LIMIT}
        firstFocus
      />
    </EntityDialog>
  )
}

export function SettleDialog({ payment, onClose }: DialogProps) {
  const { t } = useTranslation(['admin-money', 'ui'])
  const language = useLanguage()
  const settle = useMutation(settleMutation())
  const words = useRefusal(REFUSALS)
  const amount = formatAmount(payment.refund_cents, payment.currency, language)
  return (
    <EntityDialog
      title={t('admin-money:settle.title')}
      description={t('admin-money:settle.intro', { amount, name: payment.payer ?? t('admin-money:noPayer') })}
      action={t('admin-money:settle.submit')}
      onClose={onClose}
      schema={v.object({ note: requiredText(NOTE_LIMIT) })}
      defaults={{ note: '' }}
      submit={({ note }) => settle.mutateAsync({ id: payment.id, note })}
      words={words}
    >
      <TextareaField name="note" label={t('admin-money:settle.note')} limit={NOTE_LIMIT} firstFocus />
    </EntityDialog>
  )
}
