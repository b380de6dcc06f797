/** Refusals whose text on the account's pages differs from the sign-in form. */
import type { Refusals } from '@/lib/i18n/refusal'

export const ACCOUNT_REFUSALS: Refusals = {
  user_not_found: 'errors:sessionEnded',
  validation_failed: 'account:refusal.phoneInvalid',
  ERROR_CEREMONY_ABORTED: 'account:refusal.ceremony',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'account:refusal.ceremony',
  webauthn_challenge_expired: 'account:refusal.ceremony',
  webauthn_verification_failed: 'account:refusal.ceremony',
}
