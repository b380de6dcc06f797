import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { ProviderMark } from '@/components/account/provider-mark'
import { Button } from '@/components/ui/button'
import { closeAuthDialog, openAuthDialog } from '@/lib/session/auth-dialog'
import { authSettingsQuery, hasKeySupport } from '@/entities/account/auth-settings'
import { providerName } from '@/entities/account/providers'
import { signInWithPasskeyMutation } from '../api/sign-in-with-passkey'
import { signInWithProviderMutation } from '../api/sign-in-with-provider'
import styles from './provider-buttons.module.css'

/**
 * Sign-in with outside accounts, where the site offers any. If the settings cannot be read, the
 * form above is enough.
 */
export function ProviderButtons({ purpose }: { purpose: 'signIn' | 'signUp' }) {
  const { t } = useTranslation('auth')
  const settings = useQuery(authSettingsQuery())
  const leave = useMutation(signInWithProviderMutation())
  const providers = settings.data?.providers ?? []
  const takesKeys = purpose === 'signIn' && settings.data?.passkeys === true && hasKeySupport()
  if (providers.length === 0 && !takesKeys) return null
  return (
    <div className={styles.providers} role="group" aria-label={t('provider.label')}>
      <p className={styles.or} aria-hidden="true">
        {t('provider.or')}
      </p>
      <div className={styles.buttons}>
        {takesKeys && <PasskeyButton />}
        {providers.map((provider) => (
          <Button
            key={provider}
            size="large"
            wide
            busy={leave.variables === provider && (leave.isPending || leave.isSuccess)}
            onClick={() => leave.mutate(provider)}
          >
            <ProviderMark provider={provider} />
            {t('provider.continue', { provider: providerName(provider) })}
          </Button>
        ))}
      </div>
    </div>
  )
}

function PasskeyButton() {
  const { t } = useTranslation('auth')
  const enter = useMutation(signInWithPasskeyMutation())
  const goOn = (next: 'done' | 'secondStep'): void =>
    next === 'done' ? closeAuthDialog() : openAuthDialog('secondStep')
  return (
    <Button
      size="large"
      wide
      icon="key"
      busy={enter.isPending}
      onClick={() => enter.mutate(undefined, { onSuccess: goOn })}
    >
      {t('passkey.signIn')}
    </Button>
  )
}
