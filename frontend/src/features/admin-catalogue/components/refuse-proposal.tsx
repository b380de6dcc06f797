import { useMutation } from '@tanstack/react-query'
import { AreaField } from '@/components/form/area-field'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { DECISION_REFUSALS, refuseProposalMutation } from '../api/decide-proposal'
import type { KeptProposal } from '../api/proposals'
import { MAX_NOTE, refuseSchema } from '../model/proposal'

/** Refuses a proposal, with a reason its author reads. */
export function RefuseProposal({ proposal, onClose }: { proposal: KeptProposal; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const refuse = useMutation(refuseProposalMutation())
  const form = useForm({
    schema: refuseSchema,
    defaults: { note: '' },
    submit: ({ note }) => refuse.mutateAsync({ id: proposal.id, note }),
    words: useRefusal(DECISION_REFUSALS),
    onDone: onClose,
    guard: true,
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('proposals.refuseTitle', { name: proposal.name })}
    >
      <Form form={form}>
        <AreaField
          name="note"
          label={t('proposals.reason')}
          help={t('proposals.noteHelp')}
          limit={MAX_NOTE}
          firstFocus
        />
        <Submit look="danger">{t('proposals.refuse')}</Submit>
      </Form>
    </FormDialog>
  )
}
