import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { EntityDialog } from '@/components/form/entity-dialog'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { NumberField } from '@/components/form/number-field'
import { SelectField } from '@/components/form/select-field'
import { Submit } from '@/components/form/submit'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { MOST_DAYS } from '@/entities/moderation/rules'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { ADDRESS_REFUSALS, banAddressMutation } from '../api/ban-address'
import { voidVotesMutation, type VoidedVotes } from '../api/void-votes'
import type { VoteRecord } from '../api/votes'
import { addressSchema, endOf, MAX_NOTE, VOID_REASONS, voidSchema, type VoidReason } from '../model/votes'

interface VoidDialogProps {
  votes: VoidedVotes
  onClose: () => void
  onDone: () => void
}

/**
 * Voids votes for a reason; every figure follows. Many votes are voided in batches: after a failure
 * the dialog says how many succeeded, and another submit continues with the rest.
 */
export function VoidDialog({ votes, onClose, onDone }: VoidDialogProps) {
  const { t } = useTranslation('admin-votes')
  const take = useMutation(voidVotesMutation())
  const reason = useRefusal()
  const voided = useRef(0)
  const [progress, setProgress] = useState(0)
  const onProgress = (count: number): void => {
    voided.current = count
    setProgress(count)
  }
  const form = useForm({
    schema: voidSchema,
    defaults: { reason: '' as VoidReason, note: '' },
    submit: (values) => take.mutateAsync({ votes, ...values, already: voided.current, onProgress }),
    words: (error) =>
      voided.current === 0 ? reason(error) : t('void.halfway', { count: voided.current, reason: reason(error) }),
    onDone,
  })
  const title =
    votes.kind === 'chosen'
      ? t('void.title', { count: votes.votes.length })
      : t(votes.kind === 'address' ? 'void.titleAddress' : 'void.titleNetwork', { name: votes.vote.nickname ?? '–' })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={t(votes.kind === 'chosen' ? 'void.text' : 'void.textMany')}
    >
      <Form form={form}>
        <SelectField
          name="reason"
          label={t('void.reason')}
          empty={t('void.choose')}
          choices={VOID_REASONS.map((value) => ({ value, label: t(`reasons.${value}`) }))}
        />
        <TextareaField name="note" label={t('void.note')} limit={MAX_NOTE} optional />
        {form.busy && progress > 0 && <p role="status">{t('void.progress', { count: progress })}</p>}
        <Submit variant="danger">{progress > 0 ? t('void.goOn') : t('void.submit')}</Submit>
      </Form>
    </FormDialog>
  )
}

/** Bans the address of this vote; the address is not shown. */
export function AddressDialog({ vote, onClose }: { vote: VoteRecord; onClose: () => void }) {
  const { t } = useTranslation('admin-votes')
  const ban = useMutation(banAddressMutation())
  return (
    <EntityDialog
      title={t('address.title', { name: vote.nickname ?? '–' })}
      description={t('address.text')}
      action={t('address.submit')}
      danger
      onClose={onClose}
      schema={addressSchema}
      defaults={{ note: '', days: null }}
      submit={({ note, days }) =>
        ban.mutateAsync({ voteId: vote.id, reason: note, expiresAt: endOf(days, new Date().getTime()) })
      }
      words={useRefusal(ADDRESS_REFUSALS)}
      guard={false}
    >
      <TextareaField name="note" label={t('void.note')} limit={MAX_NOTE} optional />
      <NumberField
        name="days"
        label={t('address.days')}
        help={t('address.daysHelp')}
        min={1}
        max={MOST_DAYS}
        optional
      />
    </EntityDialog>
  )
}
