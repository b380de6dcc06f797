import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { TextareaField } from '@/components/form/textarea-field'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { appealDecisionMutation } from '../api/appeal-decision'
import type { Decision } from '../api/decisions'
import { appealSchema, MAX_APPEAL } from '../model/decision'

/** The form for an appeal against a decision. */
export function AppealDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const { t } = useTranslation('decisions')
  const appeal = useMutation(appealDecisionMutation())
  return (
    <EntityDialog
      title={t('appealTitle')}
      action={t('send')}
      onClose={onClose}
      schema={appealSchema}
      defaults={{ message: '' }}
      submit={({ message }) => appeal.mutateAsync({ id: decision.id, message })}
      words={useRefusal({ already_appealed: 'decisions:alreadyAppealed', PT404: 'decisions:tooLate' })}
    >
      <TextareaField
        name="message"
        label={t('message')}
        help={t('messageHelp')}
        limit={MAX_APPEAL}
        rows={6}
        firstFocus
      />
    </EntityDialog>
  )
}
