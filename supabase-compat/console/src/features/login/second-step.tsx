import { Alert, Button, Divider, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeySupport, authenticatePasskey, type CeremonyResponse, type CeremonyChallenge } from '@/api/passkeys'
import { useErrorText } from '@/ui/error-text'
import { PasskeyButton } from './passkey-button'

/** The second factor that the server requires. */
export interface RequiredFactor {
  hasApp: boolean
  passkey: CeremonyChallenge | null
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
  factor: RequiredFactor
  refusal: Error | null
  isPending: boolean
  onShow: (proof: { code: string } | { passkey: CeremonyResponse }) => void
  onBack: () => void
}) {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  const form = useForm({ initialValues: { code: '' } })
  const codeField = useRef<HTMLInputElement>(null)
  useEffect(() => codeField.current?.focus(), [])
  const passkey = useMutation({
    meta: { isQuiet: true },
    mutationFn: authenticatePasskey,
    onSuccess: (response) => onShow({ passkey: response }),
  })
  const error = refusal ?? passkey.error
  const isChallengeUsed = passkey.isSuccess && refusal !== null
  const start = passkeySupport() === 'yes' && !isChallengeUsed ? factor.passkey : null
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
        {error ? (
          <Alert color="red" role="alert">
            {errorText(error)}
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
          {isChallengeUsed ? t('code.again') : t('code.back')}
        </Button>
      </Stack>
    </form>
  )
}
