/** The page behind a setup link or an invitation, which creates an operator's account. */
import { Alert, Button, Loader, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '@/api/client'
import { checkSetupLink, sessionQuery, setUp } from '@/api/session'
import { useErrorText } from '@/ui/error-text'
import { PASSWORD_LENGTH } from '@/ui/password'
import { LoginFrame } from './frame'

export function SetupScreen() {
  const { t } = useTranslation(['login', 'shell'])
  const errorText = useErrorText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [parameters] = useSearchParams()
  const token = parameters.get('token') ?? ''
  const link = useQuery({ queryKey: ['setup', token], queryFn: ({ signal }) => checkSetupLink(token, signal) })
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : t('login:setup.badEmail')),
      password: (value) => (value.length < PASSWORD_LENGTH ? t('login:setup.shortPassword') : null),
    },
  })
  const account = useMutation({
    meta: { isQuiet: true },
    mutationFn: setUp,
    onSuccess: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      void navigate('/overview', { replace: true })
    },
  })
  useEffect(() => {
    document.title = t('login:setup.title')
  }, [t])

  if (link.isPending)
    return (
      <LoginFrame title={t('login:setup.title')}>
        <Loader size="sm" />
      </LoginFrame>
    )
  if (link.isError) {
    const isExpired = link.error instanceof ApiError && link.error.status !== 0 && link.error.status < 500
    return (
      <LoginFrame
        title={isExpired ? t('login:setup.expired') : t('login:setup.title')}
        text={isExpired ? t('login:setup.expiredText') : errorText(link.error)}
      >
        {isExpired ? (
          <Button component={Link} to="/login" variant="default">
            {t('login:setup.toLogin')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => void link.refetch()}>
            {t('login:setup.retry')}
          </Button>
        )}
      </LoginFrame>
    )
  }
  return (
    <LoginFrame
      title={t('login:setup.title')}
      text={t('login:setup.text', { role: t(`shell:roles.${link.data.role}`).toLocaleLowerCase() })}
    >
      <form
        noValidate
        onSubmit={form.onSubmit(({ email, password }) => account.mutate({ token, email: email.trim(), password }))}
      >
        <Stack gap="md">
          <TextInput
            label={t('login:email')}
            type="email"
            autoComplete="username"
            size="md"
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('login:setup.password')}
            description={t('login:setup.passwordHelp')}
            autoComplete="new-password"
            size="md"
            visibilityToggleButtonProps={{ 'aria-label': t('login:showPassword') }}
            {...form.getInputProps('password')}
          />
          {account.error ? (
            <Alert color="red" role="alert">
              {errorText(account.error)}
            </Alert>
          ) : null}
          <Button type="submit" size="md" fullWidth loading={account.isPending}>
            {t('login:setup.submit')}
          </Button>
        </Stack>
      </form>
    </LoginFrame>
  )
}
