import { useMutation } from '@tanstack/react-query'
import { AreaField } from '@/components/form/area-field'
import { EntityDialog } from '@/components/form/entity-dialog'
import { closeServerAct, type ActedServer } from '@/entities/server/admin-dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { JUDGEMENT_REFUSALS, judgeServerMutation } from '../api/judge-server'
import { MAX_REASON, reasonSchema } from '../model/judging'

/** Refuses or suspends a server, in words its owner reads. */
export function ReasonDialog({ server, decision }: { server: ActedServer; decision: 'refuse' | 'suspend' }) {
  const { t } = useTranslation('admin-servers')
  const judge = useMutation(judgeServerMutation())
  return (
    <EntityDialog
      title={t(`title.${decision}`, { name: server.name })}
      description={t(`text.${decision}`)}
      action={t(`act.${decision}`)}
      danger
      onClose={closeServerAct}
      schema={reasonSchema}
      defaults={{ reason: '' }}
      submit={({ reason }) => judge.mutateAsync({ server, decision, reason })}
      words={useRefusal(JUDGEMENT_REFUSALS)}
    >
      <AreaField name="reason" label={t('reason')} help={t('reasonHelp')} limit={MAX_REASON} firstFocus />
    </EntityDialog>
  )
}
