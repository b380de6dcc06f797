/** How a refusal of the auth service or of a procedure is said on the account's pages. */
import type { ApiError } from '@/lib/errors'
import type { TextKey } from '@/lib/i18n'
import type { Said } from '@/lib/query-client'

type Key =
  | 'refusal.weakPassword'
  | 'refusal.samePassword'
  | 'refusal.wrongCode'
  | 'refusal.codeExpired'
  | 'refusal.wrongPassword'
  | 'refusal.nameTaken'
  | 'refusal.tooManyFactors'
  | 'refusal.phoneOff'
  | 'refusal.phoneInvalid'
  | 'refusal.phoneKnown'
  | 'refusal.identityTaken'
  | 'refusal.identityLast'
  | 'refusal.linkingOff'
  | 'refusal.secondFactor'
  | 'refusal.lastFounder'
  | 'refusal.keysOff'
  | 'refusal.ceremony'
  | 'refusal.keyKnown'
  | 'refusal.tooMany'
  | 'refusal.sessionEnded'
  | 'refusal.offline'

const BY_CODE: Readonly<Record<string, Key>> = {
  weak_password: 'refusal.weakPassword',
  same_password: 'refusal.samePassword',
  reauthentication_not_valid: 'refusal.wrongCode',
  mfa_verification_failed: 'refusal.wrongCode',
  mfa_verification_rejected: 'refusal.wrongCode',
  otp_expired: 'refusal.wrongCode',
  mfa_challenge_expired: 'refusal.codeExpired',
  mfa_factor_not_found: 'refusal.codeExpired',
  current_password_required: 'refusal.wrongPassword',
  current_password_invalid: 'refusal.wrongPassword',
  mfa_factor_name_conflict: 'refusal.nameTaken',
  too_many_enrolled_mfa_factors: 'refusal.tooManyFactors',
  mfa_phone_enroll_not_enabled: 'refusal.phoneOff',
  mfa_phone_verify_not_enabled: 'refusal.phoneOff',
  mfa_verified_factor_exists: 'refusal.phoneKnown',
  phone_exists: 'refusal.phoneKnown',
  validation_failed: 'refusal.phoneInvalid',
  identity_already_exists: 'refusal.identityTaken',
  single_identity_not_deletable: 'refusal.identityLast',
  email_conflict_identity_not_deletable: 'refusal.identityLast',
  manual_linking_disabled: 'refusal.linkingOff',
  mfa_webauthn_enroll_not_enabled: 'refusal.keysOff',
  ERROR_CEREMONY_ABORTED: 'refusal.ceremony',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'refusal.ceremony',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'refusal.keyKnown',
  webauthn_verification_failed: 'refusal.ceremony',
  webauthn_challenge_expired: 'refusal.ceremony',
  webauthn_credential_exists: 'refusal.keyKnown',
  insufficient_aal: 'refusal.secondFactor',
  over_request_rate_limit: 'refusal.tooMany',
  over_email_send_rate_limit: 'refusal.tooMany',
  over_sms_send_rate_limit: 'refusal.tooMany',
  session_not_found: 'refusal.sessionEnded',
  session_expired: 'refusal.sessionEnded',
  user_not_found: 'refusal.sessionEnded',
  bad_jwt: 'refusal.sessionEnded',
  offline: 'refusal.offline',
}

/** The procedures refuse with one code and texts of their own. */
const BY_MESSAGE: Readonly<Record<string, Key>> = {
  'The last founder must stay one': 'refusal.lastFounder',
  'Second factor required': 'refusal.secondFactor',
}

/** Undefined for what we have no words for: the server's own text stands then. */
export function refusalOf(error: ApiError): Key | undefined {
  if (Object.hasOwn(BY_MESSAGE, error.message)) return BY_MESSAGE[error.message]
  return Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined
}

/** Says a refused change under its title. */
export function failing(title: TextKey): (error: ApiError) => Said {
  return (error) => {
    const key = refusalOf(error)
    return key === undefined ? { title } : { title, text: `account:${key}` }
  }
}
