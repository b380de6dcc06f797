import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { PASSWORD_LENGTH } from '@/ui/password'
import { Section } from '@/ui/section'
import { ApiError } from '@/api/client'
import { changePassword } from './api'

/** A new password; it ends the sessions on other devices. */
export function PasswordForm() {
  const { t } = useTranslation('settings')
  const errorText = useErrorText()
  const form = useForm({
    initialValues: { current: '', new: '' },
    validate: {
      current: (value) => (value === '' ? t('password.missing') : null),
      new: (value) => (value.length < PASSWORD_LENGTH ? t('password.short') : null),
    },
  })
  const change = useMutation({
    meta: { isQuiet: true },
    mutationFn: changePassword,
    onSuccess: () => {
      form.reset()
      notify(t('password.changed'))
    },
    onError: (error) => {
      const isNew = error instanceof ApiError && error.code === 'weak_password'
      form.setFieldError(isNew ? 'new' : 'current', errorText(error))
    },
  })
  const toggleProps = { 'aria-label': t('password.show') }
  return (
    <Section title={t('password.title')} description={t('password.description')}>
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack gap="sm" maw={360}>
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            visibilityToggleButtonProps={toggleProps}
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label={t('password.new')}
            description={t('password.help')}
            autoComplete="new-password"
            visibilityToggleButtonProps={toggleProps}
            {...form.getInputProps('new')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('password.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
