import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { NumberField } from '@/components/form/number-field'
import { closeServerAdminDialog, type AdministeredServer } from '@/entities/server/admin-dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { activatePrestigeMutation } from '../api/prestige'
import { daysSchema } from '../model/judging'

/** Gives a server some days of Prestige, in addition to those it has. */
export function PrestigeDialog({ server }: { server: AdministeredServer }) {
  const { t } = useTranslation('admin-servers')
  const activate = useMutation(activatePrestigeMutation())
  return (
    <EntityDialog
      title={t('title.prestige', { name: server.name })}
      action={t('act.prestige')}
      onClose={closeServerAdminDialog}
      schema={daysSchema}
      defaults={{ days: 30 }}
      submit={({ days }) => activate.mutateAsync({ id: server.id, days })}
      guard={false}
    >
      <NumberField name="days" label={t('days')} firstFocus />
    </EntityDialog>
  )
}
