import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { passkeySupport, signInByPasskey } from '@/api/passkeys'
import type { Session } from '@/api/session'
import { useErrorText } from '@/ui/error-text'
import { PasskeyButton } from './passkey-button'

export interface Account {
  email: string
  password: string
}

/** Email address and password, or a passkey instead. */
export function PasswordStep({
  refusal,
  isPending,
  onSubmit,
  onEntered,
}: {
  refusal: Error | null
  isPending: boolean
  onSubmit: (account: Account) => void
  onEntered: (session: Session) => void
}) {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  const form = useForm({ initialValues: { email: '', password: '' } })
  const passkey = useMutation({ meta: { isQuiet: true }, mutationFn: signInByPasskey, onSuccess: onEntered })
  const error = refusal ?? passkey.error
  return (
    <form
      onSubmit={form.onSubmit(({ email, password }) => {
        passkey.reset()
        onSubmit({ email: email.trim(), password })
      })}
    >
      <Stack gap="md">
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          size="md"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          required
          size="md"
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.getInputProps('password')}
        />
        {error ? (
          <Alert color="red" role="alert">
            {errorText(error)}
          </Alert>
        ) : null}
        <Button type="submit" size="md" fullWidth loading={isPending}>
          {t('submit')}
        </Button>
        {passkeySupport() === 'yes' ? (
          <>
            <Divider label={t('or')} />
            <PasskeyButton isPending={passkey.isPending} onClick={() => passkey.mutate()} />
          </>
        ) : null}
      </Stack>
    </form>
  )
}
