/** The toasts after signing in or out. */
import i18next from 'i18next'
import { showToast } from '@/components/ui/toast-store'
import { departureFor } from '@/entities/account/departure'
import { providerName } from '@/entities/account/providers'
import { openAuthDialog, type AuthNotice } from '@/lib/session/auth-dialog'
import { pageAt } from '@/lib/routing/paths'
import type { SessionEvent } from '@/lib/session/session'
import type { Arrival } from '@/lib/session/session-store'

export async function announceSession(event: SessionEvent, arrival: Arrival): Promise<void> {
  if (event === 'second-step') return openAuthDialog('secondStep')
  const isByLink = event === 'link-failed' || event === 'signed-in'
  // That page shows the outcome of its link itself.
  if (isByLink && pageAt(window.location.pathname)?.key === 'resetPassword') return
  await i18next.loadNamespaces('auth')
  const t = i18next.getFixedT(null, ['auth', 'errors'])
  if (event === 'signed-in')
    showToast({ tone: 'success', title: t('toast.signedIn'), description: t('toast.signedInText') })
  if (event === 'signed-out') showToast({ title: t('toast.signedOut'), description: t('toast.signedOutText') })
  // The session ended while the reader was doing something; the toast has a button to sign in
  // again.
  if (event === 'session-ended')
    showToast({
      title: t('toast.sessionEnded'),
      description: t('errors:sessionEnded'),
      duration: 15_000,
      action: { label: t('errors:signInAgain'), onSelect: () => openAuthDialog('signIn') },
    })
  if (event === 'sign-out-failed') {
    showToast({ tone: 'danger', title: t('toast.signOutFailed'), description: t('toast.signOutFailedText') })
  }
  if (event === 'link-failed') {
    const provider = departureFor('signIn')
    if (provider === null) return openAuthDialog('signIn', noticeOf(arrival))
    showToast({
      tone: 'danger',
      title: t('signIn.failed'),
      description: t('toast.providerFailed', { provider: providerName(provider) }),
    })
    openAuthDialog('signIn')
  }
}

/**
 * A valid link brings a code, which only the browser that requested the email can exchange for a
 * session. The service has one refusal for links that are expired, used, or invalid.
 */
function noticeOf({ refusal }: Arrival): AuthNotice {
  if (refusal === null) return 'confirmed'
  if (refusal === 'user_banned') return 'banned'
  return refusal === 'otp_expired' ? 'spent' : 'failed'
}
