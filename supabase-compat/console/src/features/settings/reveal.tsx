/** Shows a key once, after the password is entered; closing the dialog removes it from the page. */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyLine } from '@/ui/code-block'
import { useErrorText } from '@/ui/error-text'

interface Props {
  label: string
  /** The consequences. */
  help: string
  action: string
  load: (password: string) => Promise<{ value: string }>
}

export function Reveal({ label, help, action, load }: Props) {
  const { t } = useTranslation('settings')
  const errorText = useErrorText()
  const form = useForm({ initialValues: { password: '' } })
  const reveal = useMutation({
    meta: { isQuiet: true },
    gcTime: 0,
    mutationFn: load,
    onError: (error) => form.setFieldError('password', errorText(error)),
  })
  if (reveal.data)
    return (
      <Stack gap="sm">
        <CopyLine value={reveal.data.value} label={label} />
        <Text size="sm" c="dimmed">
          {t('keys.once')}
        </Text>
      </Stack>
    )
  return (
    <form onSubmit={form.onSubmit(({ password }) => reveal.mutate(password))}>
      <Stack gap="sm">
        <PasswordInput
          label={t('keys.password')}
          description={help}
          autoComplete="current-password"
          data-autofocus
          required
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
          {...form.getInputProps('password')}
        />
        <Group>
          <Button type="submit" loading={reveal.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
