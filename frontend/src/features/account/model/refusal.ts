/** How a refusal of the auth service or of a procedure is said on the account's pages. */
import type { ApiError } from '@/lib/errors'

type Key =
  | 'refusal.weak-password'
  | 'refusal.same-password'
  | 'refusal.wrong-code'
  | 'refusal.code-expired'
  | 'refusal.wrong-password'
  | 'refusal.name-taken'
  | 'refusal.too-many-factors'
  | 'refusal.phone-off'
  | 'refusal.phone-invalid'
  | 'refusal.phone-known'
  | 'refusal.identity-taken'
  | 'refusal.identity-last'
  | 'refusal.linking-off'
  | 'refusal.second-factor'
  | 'refusal.last-founder'
  | 'refusal.keys-off'
  | 'refusal.ceremony'
  | 'refusal.key-known'
  | 'refusal.too-many'
  | 'refusal.session-ended'
  | 'refusal.offline'

const BY_CODE: Readonly<Record<string, Key>> = {
  weak_password: 'refusal.weak-password',
  same_password: 'refusal.same-password',
  reauthentication_not_valid: 'refusal.wrong-code',
  mfa_verification_failed: 'refusal.wrong-code',
  mfa_verification_rejected: 'refusal.wrong-code',
  otp_expired: 'refusal.wrong-code',
  mfa_challenge_expired: 'refusal.code-expired',
  mfa_factor_not_found: 'refusal.code-expired',
  current_password_required: 'refusal.wrong-password',
  current_password_invalid: 'refusal.wrong-password',
  mfa_factor_name_conflict: 'refusal.name-taken',
  too_many_enrolled_mfa_factors: 'refusal.too-many-factors',
  mfa_phone_enroll_not_enabled: 'refusal.phone-off',
  mfa_phone_verify_not_enabled: 'refusal.phone-off',
  mfa_verified_factor_exists: 'refusal.phone-known',
  phone_exists: 'refusal.phone-known',
  validation_failed: 'refusal.phone-invalid',
  identity_already_exists: 'refusal.identity-taken',
  single_identity_not_deletable: 'refusal.identity-last',
  email_conflict_identity_not_deletable: 'refusal.identity-last',
  manual_linking_disabled: 'refusal.linking-off',
  mfa_webauthn_enroll_not_enabled: 'refusal.keys-off',
  ERROR_CEREMONY_ABORTED: 'refusal.ceremony',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'refusal.ceremony',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'refusal.key-known',
  webauthn_verification_failed: 'refusal.ceremony',
  webauthn_challenge_expired: 'refusal.ceremony',
  webauthn_credential_exists: 'refusal.key-known',
  insufficient_aal: 'refusal.second-factor',
  over_request_rate_limit: 'refusal.too-many',
  over_email_send_rate_limit: 'refusal.too-many',
  over_sms_send_rate_limit: 'refusal.too-many',
  session_not_found: 'refusal.session-ended',
  session_expired: 'refusal.session-ended',
  user_not_found: 'refusal.session-ended',
  bad_jwt: 'refusal.session-ended',
  offline: 'refusal.offline',
}

/** The procedures refuse with one code and texts of their own. */
const BY_MESSAGE: Readonly<Record<string, Key>> = {
  'The last founder must stay one': 'refusal.last-founder',
  'Second factor required': 'refusal.second-factor',
}

/** Undefined for what we have no words for: the server's own text stands then. */
export function refusalOf(error: ApiError): Key | undefined {
  if (Object.hasOwn(BY_MESSAGE, error.message)) return BY_MESSAGE[error.message]
  return Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined
}
