/** Signing in: address and password, then the code of the second factor where the account has one. */
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '@/api/client'
import { sessionQuery, signIn } from '@/api/session'
import { useErrorText } from '@/ui/error-text'
import { destinationOf } from './destination'
import { LoginFrame } from './frame'

export function Screen() {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [parameters] = useSearchParams()
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const form = useForm({ initialValues: { email: '', password: '', code: '' } })
  const login = useMutation({
    meta: { isQuiet: true },
    mutationFn: signIn,
    onSuccess: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      void navigate(destinationOf(parameters.get('next')), { replace: true })
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'code_required') setIsCodeAsked(true)
    },
  })
  const codeField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isCodeAsked) codeField.current?.focus()
  }, [isCodeAsked])
  useEffect(() => {
    document.title = t('title')
  }, [t])
  const isCodeMissing = login.error instanceof ApiError && login.error.code === 'code_required'
  const refusal = login.error && !isCodeMissing ? login.error : null
  const submit = form.onSubmit(({ email, password, code }) =>
    login.mutate({ email: email.trim(), password, ...(isCodeAsked ? { code: code.replaceAll(/\s/g, '') } : {}) }),
  )
  return (
    <LoginFrame title={isCodeAsked ? t('code.title') : t('title')} text={isCodeAsked ? t('code.text') : t('text')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {isCodeAsked ? (
            <TextInput
              label={t('code.label')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={9}
              ref={codeField}
              required
              size="md"
              {...form.getInputProps('code')}
            />
          ) : (
            <>
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
            </>
          )}
          {refusal ? (
            <Alert color="red" role="alert">
              {errorText(refusal)}
            </Alert>
          ) : null}
          <Button type="submit" size="md" fullWidth loading={login.isPending}>
            {t('submit')}
          </Button>
          {isCodeAsked ? (
            <Button
              variant="subtle"
              onClick={() => {
                setIsCodeAsked(false)
                login.reset()
                form.setFieldValue('code', '')
              }}
            >
              {t('code.back')}
            </Button>
          ) : null}
        </Stack>
      </form>
    </LoginFrame>
  )
}
