/** Says in a toast that somebody signed in or out. Draws nothing and waits for no text. */
import i18next from 'i18next'
import { showToast } from '@/components/ui/toast-store'
import { departureFor } from '@/lib/account/departure'
import { providerName } from '@/lib/account/providers'
import { openAuthDialog } from '@/lib/auth-dialog'
import { pageAt } from '@/lib/paths'
import { useSessionEvents, type SessionEvent } from '@/lib/session'

export function SessionToasts() {
  useSessionEvents(announce)
  return null
}

async function announce(event: SessionEvent): Promise<void> {
  if (event === 'second-step') return openAuthDialog('secondStep')
  const isByLink = event === 'link-failed' || event === 'signed-in'
  // That page says itself what its link did.
  if (isByLink && pageAt(window.location.pathname)?.key === 'resetPassword') return
  await i18next.loadNamespaces('auth')
  const t = i18next.getFixedT(null, 'auth')
  if (event === 'signed-in')
    showToast({ tone: 'success', title: t('toast.signedIn'), description: t('toast.signedInText') })
  if (event === 'signed-out') showToast({ title: t('toast.signedOut'), description: t('toast.signedOutText') })
  if (event === 'session-ended') showToast({ title: t('toast.sessionEnded'), description: t('refusal.sessionExpired') })
  if (event === 'sign-out-failed') {
    showToast({ tone: 'danger', title: t('toast.signOutFailed'), description: t('toast.signOutFailedText') })
  }
  if (event === 'link-failed') {
    const provider = departureFor('signIn')
    if (provider === null)
      showToast({ title: t('toast.linkFailed'), description: t('toast.linkFailedText'), duration: 12_000 })
    else
      showToast({
        tone: 'danger',
        title: t('signIn.failed'),
        description: t('toast.providerFailed', { provider: providerName(provider) }),
      })
    openAuthDialog('signIn')
  }
}
