import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { TextareaField } from '@/components/form/textarea-field'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { acceptProposalMutation, DECISION_REFUSALS } from '../api/decide-proposal'
import type { ProposalRecord } from '../api/proposals'
import { acceptSchema, MAX_NOTE, proposedTag } from '../model/proposal'
import { TagFields } from './tag-fields'

/** Creates a tag from a proposal; its texts may be changed. */
export function AcceptProposal({ proposal, onClose }: { proposal: ProposalRecord; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const accept = useMutation(acceptProposalMutation())
  return (
    <EntityDialog
      title={t('proposals.acceptTitle', { name: proposal.name })}
      description={t('proposals.acceptText')}
      action={t('proposals.accept')}
      onClose={onClose}
      schema={acceptSchema}
      defaults={{ ...proposedTag(proposal), note: '' }}
      submit={(values) => accept.mutateAsync({ id: proposal.id, values })}
      refusals={{ '23505': 'name' }}
      words={useRefusal(DECISION_REFUSALS)}
    >
      <TagFields />
      <TextareaField
        name="note"
        label={t('proposals.note')}
        help={t('proposals.noteHelp')}
        limit={MAX_NOTE}
        rows={2}
        optional
      />
    </EntityDialog>
  )
}
