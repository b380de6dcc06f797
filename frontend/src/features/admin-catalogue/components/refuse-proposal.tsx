import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { TextareaField } from '@/components/form/textarea-field'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { DECISION_REFUSALS, refuseProposalMutation } from '../api/decide-proposal'
import type { ProposalRecord } from '../api/proposals'
import { MAX_NOTE, refuseSchema } from '../model/proposal'

/** Refuses a proposal, with a reason that its author reads. */
export function RefuseProposal({ proposal, onClose }: { proposal: ProposalRecord; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const refuse = useMutation(refuseProposalMutation())
  return (
    <EntityDialog
      title={t('proposals.refuseTitle', { name: proposal.name })}
      action={t('proposals.refuse')}
      danger
      onClose={onClose}
      schema={refuseSchema}
      defaults={{ note: '' }}
      submit={({ note }) => refuse.mutateAsync({ id: proposal.id, note })}
      words={useRefusal(DECISION_REFUSALS)}
    >
      <TextareaField
        name="note"
        label={t('proposals.reason')}
        help={t('proposals.noteHelp')}
        limit={MAX_NOTE}
        firstFocus
      />
    </EntityDialog>
  )
}
