import { useMutation } from '@tanstack/react-query'
import { AreaField } from '@/components/form/area-field'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { closeServerAct, type ActedServer } from '@/entities/server/admin-dialog'
import { JUDGEMENT_REFUSALS, judgeServerMutation } from '../api/judge-server'
import { MAX_REASON, reasonSchema } from '../model/judging'

/** Refuses or suspends a server, in words its owner reads. */
export function ReasonDialog({ server, decision }: { server: ActedServer; decision: 'refuse' | 'suspend' }) {
  const { t } = useTranslation('admin-servers')
  const judge = useMutation(judgeServerMutation())
  const form = useForm({
    schema: reasonSchema,
    defaults: { reason: '' },
    submit: ({ reason }) => judge.mutateAsync({ server, decision, reason }),
    words: useRefusal(JUDGEMENT_REFUSALS),
    onDone: closeServerAct,
    guard: true,
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && closeServerAct()}
      title={t(`title.${decision}`, { name: server.name })}
      description={t(`text.${decision}`)}
    >
      <Form form={form}>
        <AreaField name="reason" label={t('reason')} help={t('reasonHelp')} limit={MAX_REASON} firstFocus />
        <Submit look="danger">{t(`act.${decision}`)}</Submit>
      </Form>
    </FormDialog>
  )
}
