/** The dialogs of a passkey: create, rename, delete. */
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/client'
import type { Passkey } from '@/api/passkeys'
import { sessionQuery } from '@/api/session'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { addPasskey, passkeysQuery, removePasskey, renamePasskey } from './api'

const MAX_NAME_LENGTH = 100

/** Refetches the lists after a change. */
function useRefetchPasskeys() {
  const client = useQueryClient()
  return async () => {
    modals.closeAll()
    await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}

const isWrongPassword = (error: Error | null) => error instanceof ApiError && error.code === 'wrong_password'

/** A refusal that belongs to no field. */
function Refusal({ error }: { error: Error | null }) {
  const errorText = useErrorText()
  if (!error || isWrongPassword(error)) return null
  return (
    <Alert color="red" role="alert">
      {errorText(error)}
    </Alert>
  )
}

export function NewPasskeyForm() {
  const { t } = useTranslation('settings')
  const errorText = useErrorText()
  const refetch = useRefetchPasskeys()
  const form = useForm({
    initialValues: { name: t('passkeys.firstName'), password: '' },
    validate: {
      name: (value) => (value.trim() === '' ? t('passkeys.nameMissing') : null),
      password: (value) => (value === '' ? t('password.missing') : null),
    },
  })
  const creation = useMutation({
    meta: { isQuiet: true },
    mutationFn: addPasskey,
    onSuccess: async () => {
      notify(t('passkeys.added'))
      await refetch()
    },
    onError: (error) => isWrongPassword(error) && form.setFieldError('password', errorText(error)),
  })
  return (
    <form noValidate onSubmit={form.onSubmit(({ name, password }) => creation.mutate({ name: name.trim(), password }))}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={t('passkeys.name')}
          description={t('passkeys.nameHelp')}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <PasswordField {...form.getInputProps('password')} />
        <Refusal error={creation.error} />
        <Button type="submit" loading={creation.isPending}>
          {t('passkeys.continue')}
        </Button>
      </Stack>
    </form>
  )
}

export function PasskeyNameForm({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('settings')
  const refetch = useRefetchPasskeys()
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: { name: (value) => (value.trim() === '' ? t('passkeys.nameMissing') : null) },
  })
  const change = useMutation({ meta: { isQuiet: true }, mutationFn: renamePasskey, onSuccess: refetch })
  return (
    <form noValidate onSubmit={form.onSubmit(({ name }) => change.mutate({ id: passkey.id, name: name.trim() }))}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={t('passkeys.name')}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Refusal error={change.error} />
        <Button type="submit" loading={change.isPending}>
          {t('passkeys.save')}
        </Button>
      </Stack>
    </form>
  )
}

export function PasskeyRemovalForm({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('settings')
  const errorText = useErrorText()
  const refetch = useRefetchPasskeys()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? t('password.missing') : null) },
  })
  const removal = useMutation({
    meta: { isQuiet: true },
    mutationFn: removePasskey,
    onSuccess: async () => {
      notify(t('passkeys.removed'))
      await refetch()
    },
    onError: (error) => isWrongPassword(error) && form.setFieldError('password', errorText(error)),
  })
  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => removal.mutate({ id: passkey.id, password }))}>
      <Stack gap="md">
        <Text size="sm">{t('passkeys.removeText')}</Text>
        <PasswordField {...form.getInputProps('password')} />
        <Refusal error={removal.error} />
        <Button type="submit" color="red" loading={removal.isPending}>
          {t('passkeys.remove')}
        </Button>
      </Stack>
    </form>
  )
}

function PasswordField(props: ReturnType<ReturnType<typeof useForm>['getInputProps']>) {
  const { t } = useTranslation('settings')
  return (
    <PasswordInput
      label={t('factor.password')}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
      {...props}
    />
  )
}
