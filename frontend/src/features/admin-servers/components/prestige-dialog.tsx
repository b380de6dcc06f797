import { useMutation } from '@tanstack/react-query'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { NumberField } from '@/components/form/number-field'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { useTranslation } from '@/lib/i18n/i18n'
import { closeServerAct, type ActedServer } from '@/entities/server/admin-dialog'
import { activatePrestigeMutation } from '../api/prestige'
import { daysSchema } from '../model/judging'

/** Gives a server Prestige for some days, onto what it has. */
export function PrestigeDialog({ server }: { server: ActedServer }) {
  const { t } = useTranslation('admin-servers')
  const activate = useMutation(activatePrestigeMutation())
  const form = useForm({
    schema: daysSchema,
    defaults: { days: 30 },
    submit: ({ days }) => activate.mutateAsync({ id: server.id, days }),
    onDone: closeServerAct,
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && closeServerAct()}
      title={t('title.prestige', { name: server.name })}
    >
      <Form form={form}>
        <NumberField name="days" label={t('days')} firstFocus />
        <Submit>{t('act.prestige')}</Submit>
      </Form>
    </FormDialog>
  )
}
