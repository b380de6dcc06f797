/**
 * The texts of refusals: one sentence for each code, in the namespace `errors`. A caller overrides
 * what differs on its page. An unknown code gets a general sentence with the code, never the
 * server's message.
 */
import { useCallback } from 'react'
import { toApiError, type ApiError } from '@/lib/api/errors'
import { hasTexts, textOf, useTranslation, type TextKey } from './i18n'

type Key = Extract<TextKey, `errors:${string}`>

/** Keys are codes, details of procedures, or statuses; the more specific one wins. */
export type Refusals = Readonly<Record<string, TextKey>>

/** Codes of the services (snake case), of the site's functions, of browsers (upper case), and SQLSTATEs. */
const BY_CODE: Readonly<Record<string, Key>> = {
  offline: 'errors:offline',

  invalid_credentials: 'errors:invalidCredentials',
  user_not_found: 'errors:noAccount',
  email_not_confirmed: 'errors:emailNotConfirmed',
  user_already_exists: 'errors:emailExists',
  email_exists: 'errors:emailExists',
  username_taken: 'errors:usernameTaken',
  weak_password: 'errors:weakPassword',
  same_password: 'errors:samePassword',
  current_password_required: 'errors:wrongPassword',
  current_password_invalid: 'errors:wrongPassword',
  email_address_invalid: 'errors:emailRefused',
  email_address_not_authorized: 'errors:emailRefused',
  signup_disabled: 'errors:signUpClosed',
  user_banned: 'errors:banned',
  captcha_failed: 'errors:captcha',
  no_vote: 'errors:noVote',
  provider_disabled: 'errors:providerOff',
  email_provider_disabled: 'errors:providerOff',
  phone_provider_disabled: 'errors:providerOff',
  passkey_disabled: 'errors:keysOff',
  reauthentication_needed: 'errors:reauthentication',
  reauthentication_not_valid: 'errors:wrongCode',

  mfa_verification_failed: 'errors:wrongCode',
  mfa_verification_rejected: 'errors:wrongCode',
  otp_expired: 'errors:wrongCode',
  mfa_challenge_expired: 'errors:codeExpired',
  mfa_factor_not_found: 'errors:codeExpired',
  mfa_factor_name_conflict: 'errors:nameTaken',
  too_many_enrolled_mfa_factors: 'errors:tooManyFactors',
  too_many_passkeys: 'errors:tooManyFactors',
  mfa_phone_enroll_not_enabled: 'errors:phoneOff',
  mfa_phone_verify_not_enabled: 'errors:phoneOff',
  mfa_verified_factor_exists: 'errors:phoneKnown',
  phone_exists: 'errors:phoneKnown',
  mfa_webauthn_enroll_not_enabled: 'errors:keysOff',
  mfa_webauthn_verify_not_enabled: 'errors:keysOff',
  insufficient_aal: 'errors:secondFactor',

  ERROR_CEREMONY_ABORTED: 'errors:ceremony',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'errors:ceremony',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'errors:keyKnown',
  webauthn_challenge_expired: 'errors:ceremony',
  webauthn_verification_failed: 'errors:keyUnknown',
  webauthn_credential_exists: 'errors:keyKnown',

  identity_already_exists: 'errors:identityTaken',
  single_identity_not_deletable: 'errors:identityLast',
  email_conflict_identity_not_deletable: 'errors:identityLast',
  manual_linking_disabled: 'errors:linkingOff',

  session_expired: 'errors:sessionEnded',
  session_not_found: 'errors:sessionEnded',
  refresh_token_not_found: 'errors:sessionEnded',
  refresh_token_already_used: 'errors:sessionEnded',
  bad_jwt: 'errors:sessionEnded',
  no_authorization: 'errors:sessionEnded',
  PGRST301: 'errors:sessionEnded',
  PGRST303: 'errors:sessionEnded',

  over_request_rate_limit: 'errors:tooMany',
  over_email_send_rate_limit: 'errors:tooMany',
  over_sms_send_rate_limit: 'errors:tooMany',
  too_many_requests: 'errors:tooMany',
  request_timeout: 'errors:slow',
  overloaded: 'errors:slow',
  request_entity_too_large: 'errors:tooLarge',
  validation_failed: 'errors:notAccepted',
  server_not_found: 'errors:serverGone',
  server_limit_reached: 'errors:serverLimit',
  game_closed: 'errors:gameClosed',

  '22023': 'errors:notAccepted',
  '22P02': 'errors:notAccepted',
  '23502': 'errors:notAccepted',
  '23514': 'errors:notAccepted',
  '23503': 'errors:inUse',
  '23505': 'errors:exists',
  '42501': 'errors:forbidden',
  '55006': 'errors:underWay',
  '57014': 'errors:slow',
  P0001: 'errors:limit',
  PT404: 'errors:gone',
  PGRST003: 'errors:slow',
  // No row was returned, because row security filtered it.
  PGRST116: 'errors:forbidden',
}

/** Procedures refuse with a shared SQLSTATE and a message of their own. */
const BY_MESSAGE: Readonly<Record<string, Key>> = {
  'The last founder must stay one': 'errors:lastFounder',
  'Second factor required': 'errors:secondFactor',
  'Not enough Prestige Pass days': 'errors:passDays',
}

const BY_STATUS: Readonly<Record<number, Key>> = {
  401: 'errors:sessionEnded',
  403: 'errors:forbidden',
  404: 'errors:gone',
  408: 'errors:slow',
  413: 'errors:tooLarge',
  429: 'errors:tooMany',
  504: 'errors:slow',
}

/** The text key of a refusal or of any other thrown value. Null if there is no specific text. */
export function refusalKey(cause: unknown, overrides: Refusals = {}): TextKey | null {
  const error = toApiError(cause)
  return (
    ownValue(overrides, String(error.status)) ??
    ownValue(overrides, detailOf(error)) ??
    ownValue(overrides, error.code) ??
    localizedText(error)
  )
}

/** The text of a refusal in the language of the page; for use outside of components. */
export function refusalText(cause: unknown, overrides?: Refusals): string {
  // A text that is part of the script, if the namespace could not be loaded.
  if (!hasTexts('errors')) return textOf('trouble:waiting.text')
  return textOf(refusalKey(cause, overrides) ?? 'errors:unknown', { code: toApiError(cause).code })
}

/** The text of a refusal, for a component; suspends until the texts are loaded. */
export function useRefusal(overrides?: Refusals): (cause: unknown) => string {
  useTranslation('errors')
  return useCallback((cause) => refusalText(cause, overrides), [overrides])
}

function localizedText(error: ApiError): Key | null {
  // The response of row security to a guest or an expired session.
  if (error.code === '42501' && error.status === 401) return 'errors:sessionEnded'
  return byDetail(error) ?? ownValue(BY_CODE, error.code) ?? byStatus(error.status)
}

function byDetail(error: ApiError): Key | undefined {
  return ownValue(BY_MESSAGE, error.message) ?? ownValue(BY_CODE, detailOf(error))
}

/** The detail that a procedure adds to its SQLSTATE. */
function detailOf({ details }: ApiError): string {
  return typeof details.detail === 'string' ? details.detail : ''
}

function byStatus(status: number): Key | null {
  return BY_STATUS[status] ?? (status >= 500 ? 'errors:server' : null)
}

function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
