import { Alert, Button, Divider, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeySupport, showPasskey, type CeremonyAnswer, type CeremonyStart } from '@/api/passkeys'
import { useErrorText } from '@/ui/error-text'
import { PasskeyButton } from './passkey-button'

/** The second factor that the server requires. */
export interface FactorRequest {
  hasApp: boolean
  passkey: CeremonyStart | null
}

/**
 * The code of an authenticator app or a passkey, whichever the account has. A passkey's challenge
 * is valid once.
 */
export function SecondStep({
  factor,
  refusal,
  isPending,
  onShow,
  onBack,
}: {
  factor: FactorRequest
  refusal: Error | null
  isPending: boolean
  onShow: (proof: { code: string } | { passkey: CeremonyAnswer }) => void
  onBack: () => void
}) {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  const form = useForm({ initialValues: { code: '' } })
  const codeField = useRef<HTMLInputElement>(null)
  useEffect(() => codeField.current?.focus(), [])
  const passkey = useMutation({
    meta: { isQuiet: true },
    mutationFn: showPasskey,
    onSuccess: (answer) => onShow({ passkey: answer }),
  })
  const problem = refusal ?? passkey.error
  const isUsed = passkey.isSuccess && refusal !== null
  const start = passkeySupport() === 'yes' && !isUsed ? factor.passkey : null
  return (
    <form onSubmit={form.onSubmit(({ code }) => onShow({ code: code.replaceAll(/\s/g, '') }))}>
      <Stack gap="md">
        {factor.hasApp ? (
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
        ) : null}
        {problem ? (
          <Alert color="red" role="alert">
            {errorText(problem)}
          </Alert>
        ) : null}
        {factor.hasApp ? (
          <Button type="submit" size="md" fullWidth loading={isPending}>
            {t('submit')}
          </Button>
        ) : null}
        {start && factor.hasApp ? <Divider label={t('or')} /> : null}
        {start ? (
          <PasskeyButton
            text={t('passkey.confirm')}
            isMain={!factor.hasApp}
            isPending={passkey.isPending || (isPending && !factor.hasApp)}
            onClick={() => passkey.mutate(start)}
          />
        ) : null}
        <Button variant="subtle" onClick={onBack}>
          {isUsed ? t('code.again') : t('code.back')}
        </Button>
      </Stack>
    </form>
  )
}
