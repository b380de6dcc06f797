/** How a refusal of the auth service is said, and beside which field it stands. */
import type { ApiError } from '@/lib/errors'
import type { FieldName } from './credentials'

interface Refusal {
  key:
    | 'refusal.invalid-credentials'
    | 'refusal.no-account'
    | 'refusal.email-not-confirmed'
    | 'refusal.session-expired'
    | 'refusal.email-exists'
    | 'refusal.username-taken'
    | 'refusal.weak-password'
    | 'refusal.email-refused'
    | 'refusal.sign-up-closed'
    | 'refusal.banned'
    | 'refusal.same-password'
    | 'refusal.wrong-code'
    | 'refusal.code-expired'
    | 'refusal.captcha'
    | 'refusal.provider-off'
    | 'refusal.reauthentication'
    | 'refusal.ceremony'
    | 'refusal.key-unknown'
    | 'refusal.too-many'
    | 'refusal.offline'
  /** Absent when no single field is to blame. */
  field?: FieldName
}

const BY_CODE: Readonly<Record<string, Refusal>> = {
  invalid_credentials: { key: 'refusal.invalid-credentials', field: 'password' },
  user_not_found: { key: 'refusal.no-account', field: 'email' },
  email_not_confirmed: { key: 'refusal.email-not-confirmed', field: 'email' },
  session_expired: { key: 'refusal.session-expired' },
  session_not_found: { key: 'refusal.session-expired' },
  user_already_exists: { key: 'refusal.email-exists', field: 'email' },
  email_exists: { key: 'refusal.email-exists', field: 'email' },
  username_taken: { key: 'refusal.username-taken', field: 'username' },
  weak_password: { key: 'refusal.weak-password', field: 'password' },
  email_address_invalid: { key: 'refusal.email-refused', field: 'email' },
  email_address_not_authorized: { key: 'refusal.email-refused', field: 'email' },
  signup_disabled: { key: 'refusal.sign-up-closed' },
  user_banned: { key: 'refusal.banned' },
  over_request_rate_limit: { key: 'refusal.too-many' },
  over_email_send_rate_limit: { key: 'refusal.too-many' },
  same_password: { key: 'refusal.same-password', field: 'password' },
  mfa_verification_failed: { key: 'refusal.wrong-code' },
  mfa_verification_rejected: { key: 'refusal.wrong-code' },
  otp_expired: { key: 'refusal.wrong-code' },
  mfa_challenge_expired: { key: 'refusal.code-expired' },
  over_sms_send_rate_limit: { key: 'refusal.too-many' },
  captcha_failed: { key: 'refusal.captcha' },
  provider_disabled: { key: 'refusal.provider-off' },
  ERROR_CEREMONY_ABORTED: { key: 'refusal.ceremony' },
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: { key: 'refusal.ceremony' },
  webauthn_challenge_expired: { key: 'refusal.ceremony' },
  webauthn_verification_failed: { key: 'refusal.key-unknown' },
  reauthentication_needed: { key: 'refusal.reauthentication' },
  offline: { key: 'refusal.offline' },
}

/** Undefined for a code we have no words for: the server's own text stands then. */
export function refusalOf(error: ApiError): Refusal | undefined {
  return Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined
}
