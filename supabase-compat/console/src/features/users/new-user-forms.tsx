import { Alert, Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { createUser, inviteUser, usersKey } from './api'

const isAddress = (value: string) => /^\S+@\S+$/.test(value.trim())

/** Creates an account at once; without a password the person signs in by a link. */
export function NewUserForm() {
  const { t } = useTranslation('users')
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useForm({
    initialValues: { email: '', password: '', isConfirmed: true },
    validate: { email: (value) => (isAddress(value) ? null : t('badEmail')) },
  })
  const creation = useMutation({
    meta: { isQuiet: true },
    mutationFn: createUser,
    onSuccess: async (user) => {
      modals.closeAll()
      notify(t('new.made', { email: user.email }))
      await client.invalidateQueries({ queryKey: usersKey })
    },
  })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ email, password, isConfirmed }) =>
        creation.mutate({
          email: email.trim(),
          email_confirm: isConfirmed,
          ...(password === '' ? {} : { password }),
        }),
      )}
    >
      <Stack gap="md">
        <TextInput data-autofocus label={t('email')} type="email" autoComplete="off" {...form.getInputProps('email')} />
        <PasswordInput
          label={t('new.password')}
          description={t('new.passwordHelp')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.getInputProps('password')}
        />
        <Checkbox
          label={t('new.confirmed')}
          description={t('new.confirmedHelp')}
          {...form.getInputProps('isConfirmed', { type: 'checkbox' })}
        />
        {creation.error ? (
          <Alert color="red" role="alert">
            {errorText(creation.error)}
          </Alert>
        ) : null}
        <Button type="submit" loading={creation.isPending}>
          {t('new.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Sends an invitation by mail. */
export function InvitationForm() {
  const { t } = useTranslation('users')
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (value) => (isAddress(value) ? null : t('badEmail')) },
  })
  const invitation = useMutation({
    meta: { isQuiet: true },
    mutationFn: inviteUser,
    onSuccess: async (user) => {
      modals.closeAll()
      notify(t('invitation.sent', { email: user.email }))
      await client.invalidateQueries({ queryKey: usersKey })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit(({ email }) => invitation.mutate(email.trim()))}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={t('email')}
          description={t('invitation.help')}
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        {invitation.error ? (
          <Alert color="red" role="alert">
            {errorText(invitation.error)}
          </Alert>
        ) : null}
        <Button type="submit" loading={invitation.isPending}>
          {t('invitation.submit')}
        </Button>
      </Stack>
    </form>
  )
}
