import { Alert, Button, NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { changeBucket, createBucket, storageKey, type Bucket, type BucketFields } from './api'

const MEGABYTE = 1_000_000

/** Creates or changes a bucket; its name cannot be changed. */
export function BucketForm({ bucket }: { bucket: Bucket | null }) {
  const { t } = useTranslation('files')
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useForm({
    initialValues: {
      name: bucket?.name ?? '',
      isPublic: bucket?.public ?? false,
      limit: (bucket?.file_size_limit ? bucket.file_size_limit / MEGABYTE : '') as number | string,
      types: bucket?.allowed_mime_types ?? [],
    },
    validate: {
      name: (value) => (/^[\w!.*'() &$@=;:+,?-]+$/.test(value) ? null : t('bucket.badName')),
    },
  })
  const saving = useMutation({
    meta: { isQuiet: true },
    mutationFn: (fields: BucketFields) => (bucket ? changeBucket({ id: bucket.id, ...fields }) : createBucket(fields)),
    onSuccess: async (_answer, { name }) => {
      modals.closeAll()
      notify(bucket ? t('bucket.changed', { name }) : t('bucket.created', { name }))
      await client.invalidateQueries({ queryKey: storageKey })
    },
  })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, isPublic, limit, types }) =>
        saving.mutate({
          name,
          public: isPublic,
          file_size_limit: typeof limit === 'number' && limit > 0 ? Math.round(limit * MEGABYTE) : null,
          allowed_mime_types: types.length > 0 ? types : null,
        }),
      )}
    >
      <Stack gap="md">
        {bucket ? null : (
          <TextInput data-autofocus label={t('bucket.name')} autoComplete="off" {...form.getInputProps('name')} />
        )}
        <Switch
          label={t('bucket.isPublic')}
          description={t('bucket.isPublicHelp')}
          {...form.getInputProps('isPublic', { type: 'checkbox' })}
        />
        <NumberInput
          label={t('bucket.largest')}
          description={t('bucket.largestHelp')}
          min={0}
          suffix=" MB"
          decimalScale={3}
          {...form.getInputProps('limit')}
        />
        <TagsInput
          label={t('bucket.types')}
          description={t('bucket.typesHelp')}
          placeholder="image/*"
          clearable
          {...form.getInputProps('types')}
        />
        {saving.error ? (
          <Alert color="red" role="alert">
            {errorText(saving.error)}
          </Alert>
        ) : null}
        <Button type="submit" loading={saving.isPending}>
          {bucket ? t('save') : t('bucket.create')}
        </Button>
      </Stack>
    </form>
  )
}
