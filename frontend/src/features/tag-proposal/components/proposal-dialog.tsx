import { useMutation } from '@tanstack/react-query'
import { ColourField } from '@/components/form/colour-field'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { Dialog } from '@/components/ui/dialog'
import { closeTagProposal } from '@/entities/tag/proposal-dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { proposeTagMutation, PROPOSAL_REFUSALS } from '../api/propose-tag'
import { MAX_DESCRIPTION, MAX_NAME, proposalSchema } from '../model/proposal'
import { OwnProposals } from './own-proposals'

/** The form for a proposal: a name, a description, and one of ten colors; administrators decide. */
export function ProposalDialog({ userId }: { userId: string }) {
  const { t } = useTranslation('tag-proposal')
  return (
    <Dialog open onOpenChange={(open) => !open && closeTagProposal()} title={t('title')} description={t('intro')}>
      <ProposalForm userId={userId} />
      <OwnProposals userId={userId} />
    </Dialog>
  )
}

function ProposalForm({ userId }: { userId: string }) {
  const { t } = useTranslation('tag-proposal')
  const propose = useMutation(proposeTagMutation())
  const reasonFor = useRefusal(PROPOSAL_REFUSALS)
  const form = useForm({
    schema: proposalSchema,
    defaults: { name: '', description: '', colour: '#8B5CF6' },
    submit: (values) => propose.mutateAsync({ userId, ...values }),
    words: (error) => t('failed', { reason: reasonFor(error) }),
    onDone: closeTagProposal,
    draft: `tag.${userId}`,
  })
  return (
    <Form form={form} label={t('title')}>
      <TextField name="name" label={t('name')} limit={MAX_NAME} firstFocus />
      <TextareaField
        name="description"
        label={t('description')}
        help={t('help')}
        limit={MAX_DESCRIPTION}
        rows={3}
        optional
      />
      <ColourField name="colour" label={t('colour')} />
      <Submit size="large" wide>
        {t('submit')}
      </Submit>
    </Form>
  )
}
