import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useErrorText } from '@/ui/error-text'
import { createFolder, encodeKey, keyOf, storageKey } from './api'

/** Creates a folder. A folder exists only while it has content, so it begins with a placeholder. */
export function FolderForm({ bucket, folder }: { bucket: string; folder: string }) {
  const { t } = useTranslation('files')
  const errorText = useErrorText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (/^[^/]+$/.test(value.trim()) ? null : t('folder.badName')) },
  })
  const creation = useMutation({
    meta: { isQuiet: true },
    mutationFn: (key: string) => createFolder(bucket, key),
    onSuccess: async (_answer, key) => {
      modals.closeAll()
      await client.invalidateQueries({ queryKey: storageKey })
      await navigate(`/files/${encodeKey(`${bucket}/${key}`)}`)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit(({ name }) => creation.mutate(keyOf(folder, name.trim())))}>
      <Stack gap="md">
        <TextInput data-autofocus label={t('folder.name')} autoComplete="off" {...form.getInputProps('name')} />
        {creation.error ? (
          <Alert color="red" role="alert">
            {errorText(creation.error)}
          </Alert>
        ) : null}
        <Button type="submit" loading={creation.isPending}>
          {t('folder.create')}
        </Button>
      </Stack>
    </form>
  )
}
