import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { TextareaField } from '@/components/form/textarea-field'
import { closeServerAdminDialog, type AdministeredServer } from '@/entities/server/admin-dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { MODERATION_REFUSALS, moderateServerMutation } from '../api/moderate-server'
import { MAX_REASON, reasonSchema } from '../model/judging'

/** Refuses or suspends a server, with a reason that its owner reads. */
export function ReasonDialog({ server, decision }: { server: AdministeredServer; decision: 'refuse' | 'suspend' }) {
  const { t } = useTranslation('admin-servers')
  const judge = useMutation(moderateServerMutation())
  return (
    <EntityDialog
      title={t(`title.${decision}`, { name: server.name })}
      description={t(`text.${decision}`)}
      action={t(`act.${decision}`)}
      danger
      onClose={closeServerAdminDialog}
      schema={reasonSchema}
      defaults={{ reason: '' }}
      submit={({ reason }) => judge.mutateAsync({ server, decision, reason })}
      words={useRefusal(MODERATION_REFUSALS)}
    >
      <TextareaField name="reason" label={t('reason')} help={t('reasonHelp')} limit={MAX_REASON} firstFocus />
    </EntityDialog>
  )
}
