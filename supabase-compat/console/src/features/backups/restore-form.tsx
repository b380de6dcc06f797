/** The dialog before a restore: what is lost, and the required confirmation. */
import { Alert, Button, Group, List, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/client'
import { useSession } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { CodeBlock } from '@/ui/code-block'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { backupsQuery, restoreBackup, type Backup, type BackupOverview } from './api'

interface Props {
  backup: Backup
  overview: BackupOverview
}

/** If the console must not restore, the command that does. */
export function RestoreDialog({ backup, overview }: Props) {
  const { t } = useTranslation('backups')
  if (overview.restore_obstacle === null) return <RestoreForm backup={backup} overview={overview} />
  return (
    <Stack gap="sm">
      <Text size="sm">{t('restore.given')}</Text>
      <CodeBlock label={t('restore.command')} code={`supabase-compat restore ${backup.name} --data-dir restored`} />
    </Stack>
  )
}

function RestoreForm({ backup, overview }: Props) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { name: project } = useSession().project
  const form = useForm({
    initialValues: { password: '', project: '' },
    validate: {
      password: (value) => (value === '' ? t('restore.noPassword') : null),
      project: (value) => (value.trim() === project ? null : t('restore.wrongProject')),
    },
  })
  const restore = useMutation({
    meta: { isQuiet: true },
    mutationFn: restoreBackup,
    onSuccess: () => {
      modals.closeAll()
      notify(t('restore.begun'))
      return client.invalidateQueries({ queryKey: backupsQuery.queryKey })
    },
    onError: (error) => isWrongPassword(error) && form.setFieldError('password', errorText(error)),
  })
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => restore.mutate({ id: backup.id, ...fields }))}>
      <Stack gap="sm">
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={t('restore.lost')}>
          {t('restore.lostSince', { moment: formats.dateTime(backup.started_at) })}
        </Alert>
        <List size="sm" spacing={4}>
          <List.Item>{t('restore.before')}</List.Item>
          <List.Item>{t('restore.stays')}</List.Item>
          <List.Item>{t('restore.pause')}</List.Item>
          {overview.has_objects ? null : <List.Item>{t('restore.withoutFiles')}</List.Item>}
        </List>
        <PasswordInput
          label={t('restore.password')}
          autoComplete="current-password"
          data-autofocus
          required
          visibilityToggleButtonProps={{ 'aria-label': t('restore.showPassword') }}
          {...form.getInputProps('password')}
        />
        <TextInput
          label={t('restore.project')}
          description={t('restore.projectHelp', { name: project })}
          autoComplete="off"
          spellCheck={false}
          required
          {...form.getInputProps('project')}
        />
        {restore.error && !isWrongPassword(restore.error) ? (
          <Alert color="red" role="alert">
            {errorText(restore.error)}
          </Alert>
        ) : null}
        <Group>
          <Button type="submit" color="red" loading={restore.isPending}>
            {t('restore.action')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const isWrongPassword = (error: Error) => error instanceof ApiError && error.code === 'wrong_password'
