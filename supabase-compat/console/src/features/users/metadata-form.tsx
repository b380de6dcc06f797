import { Alert, Button, Group, JsonInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { changeUser, usersKey, type User } from './api'
import { readObject } from './read-object'

/**
 * Both kinds of metadata of an account as JSON. A removed field is sent as null, because auth/v1
 * merges.
 */
export function MetadataForm({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const errorText = useErrorText()
  const client = useQueryClient()
  const validate = (value: string) => (readObject(value) ? null : t('metadata.noObject'))
  const form = useForm({
    initialValues: {
      app: JSON.stringify(user.app_metadata, null, 2),
      user: JSON.stringify(user.user_metadata, null, 2),
    },
    validate: { app: validate, user: validate },
  })
  const change = useMutation({
    meta: { isQuiet: true },
    mutationFn: changeUser,
    onSuccess: async () => {
      notify(t('metadata.saved'))
      await client.invalidateQueries({ queryKey: usersKey })
    },
  })
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        change.mutate({
          id: user.id,
          app_metadata: withRemovals(user.app_metadata, readObject(values.app) ?? {}),
          user_metadata: withRemovals(user.user_metadata, readObject(values.user) ?? {}),
        }),
      )}
    >
      <Stack gap="sm">
        <JsonInput
          label={t('metadata.app')}
          description={t('metadata.appHelp')}
          autosize
          minRows={3}
          maxRows={14}
          formatOnBlur
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('app')}
        />
        <JsonInput
          label={t('metadata.user')}
          description={t('metadata.userHelp')}
          autosize
          minRows={3}
          maxRows={14}
          formatOnBlur
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('user')}
        />
        {change.error ? (
          <Alert color="red" role="alert">
            {errorText(change.error)}
          </Alert>
        ) : null}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            {t('metadata.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function withRemovals(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const removed = Object.keys(before).filter((name) => !(name in after))
  return { ...after, ...Object.fromEntries(removed.map((name) => [name, null])) }
}
