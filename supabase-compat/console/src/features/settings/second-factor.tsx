/** The second factor of the operator's own account: an authenticator app. */
import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconShieldCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'
import { sessionQuery } from '@/api/session'
import { useSession } from '@/app/session'
import { CopyLine } from '@/ui/code-block'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { ErrorState } from '@/ui/states'
import { confirmSecondFactor, removeSecondFactor, startSecondFactor } from './api'

export function SecondFactor() {
  const { t } = useTranslation('settings')
  const { operator } = useSession()
  const start = useMutation({ mutationFn: startSecondFactor, meta: { isQuiet: true } })
  return (
    <Section title={t('factor.title')} description={t('factor.description')}>
      {operator.second_factor ? (
        <RemovalForm onRemoved={start.reset} />
      ) : start.data ? (
        <Enrolment enrolment={start.data} onAdded={start.reset} />
      ) : (
        <Stack gap="sm" align="flex-start">
          <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            {t('factor.start')}
          </Button>
          {start.error ? <ErrorState error={start.error} /> : null}
        </Stack>
      )}
    </Section>
  )
}

function Enrolment({ enrolment, onAdded }: { enrolment: { uri: string; secret: string }; onAdded: () => void }) {
  const { t } = useTranslation('settings')
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useForm({ initialValues: { code: '' } })
  const confirmation = useMutation({
    meta: { isQuiet: true },
    mutationFn: confirmSecondFactor,
    onSuccess: async () => {
      notify(t('factor.added'))
      onAdded()
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: (error) => form.setFieldError('code', errorText(error)),
  })
  const { uri, secret } = enrolment
  return (
    <form onSubmit={form.onSubmit(({ code }) => confirmation.mutate(code.replaceAll(/\s/g, '')))}>
      <Group align="flex-start" gap="lg">
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`}
          width={176}
          height={176}
          alt={t('factor.picture')}
          style={{ borderRadius: 8 }}
        />
        <Stack gap="sm" style={{ flex: 1, minWidth: 220 }} maw={360}>
          <Text size="sm">{t('factor.scan')}</Text>
          <CopyLine value={secret} label={t('factor.secret')} />
          <TextInput
            label={t('factor.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={9}
            required
            {...form.getInputProps('code')}
          />
          <Group>
            <Button type="submit" loading={confirmation.isPending}>
              {t('factor.confirm')}
            </Button>
          </Group>
        </Stack>
      </Group>
    </form>
  )
}

function RemovalForm({ onRemoved }: { onRemoved: () => void }) {
  const { t } = useTranslation('settings')
  const errorText = useErrorText()
  const client = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const form = useForm({ initialValues: { password: '' } })
  const removal = useMutation({
    meta: { isQuiet: true },
    mutationFn: removeSecondFactor,
    onSuccess: async () => {
      notify(t('factor.removed'))
      onRemoved()
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: (error) => form.setFieldError('password', errorText(error)),
  })
  return (
    <Stack gap="sm">
      <Alert variant="light" color="green" icon={<IconShieldCheck size={18} />}>
        {t('factor.isOn')}
      </Alert>
      {isAsked ? (
        <form onSubmit={form.onSubmit(({ password }) => removal.mutate(password))}>
          <Stack gap="sm" maw={360}>
            <PasswordInput
              label={t('factor.password')}
              autoComplete="current-password"
              required
              visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
              {...form.getInputProps('password')}
            />
            <Group gap="xs">
              <Button type="submit" color="red" loading={removal.isPending}>
                {t('factor.remove')}
              </Button>
              <Button variant="default" onClick={() => setIsAsked(false)}>
                {t('factor.keep')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setIsAsked(true)}>
            {t('factor.remove')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
