/** How a refusal of the auth service is said, and beside which field it stands. */
import type { ApiError } from '@/lib/errors'
import type { TextKey } from '@/lib/i18n'
import type { Said } from '@/lib/query-client'

interface Refusal {
  key:
    | 'refusal.invalidCredentials'
    | 'refusal.noAccount'
    | 'refusal.emailNotConfirmed'
    | 'refusal.sessionExpired'
    | 'refusal.emailExists'
    | 'refusal.usernameTaken'
    | 'refusal.weakPassword'
    | 'refusal.emailRefused'
    | 'refusal.signUpClosed'
    | 'refusal.banned'
    | 'refusal.samePassword'
    | 'refusal.wrongCode'
    | 'refusal.codeExpired'
    | 'refusal.captcha'
    | 'refusal.providerOff'
    | 'refusal.reauthentication'
    | 'refusal.ceremony'
    | 'refusal.keyUnknown'
    | 'refusal.tooMany'
    | 'refusal.offline'
  /** Absent when no single field is to blame. */
  field?: 'email' | 'username' | 'password' | 'code'
}

const BY_CODE: Readonly<Record<string, Refusal>> = {
  invalid_credentials: { key: 'refusal.invalidCredentials', field: 'password' },
  user_not_found: { key: 'refusal.noAccount', field: 'email' },
  email_not_confirmed: { key: 'refusal.emailNotConfirmed', field: 'email' },
  session_expired: { key: 'refusal.sessionExpired' },
  session_not_found: { key: 'refusal.sessionExpired' },
  user_already_exists: { key: 'refusal.emailExists', field: 'email' },
  email_exists: { key: 'refusal.emailExists', field: 'email' },
  username_taken: { key: 'refusal.usernameTaken', field: 'username' },
  weak_password: { key: 'refusal.weakPassword', field: 'password' },
  email_address_invalid: { key: 'refusal.emailRefused', field: 'email' },
  email_address_not_authorized: { key: 'refusal.emailRefused', field: 'email' },
  signup_disabled: { key: 'refusal.signUpClosed' },
  user_banned: { key: 'refusal.banned' },
  over_request_rate_limit: { key: 'refusal.tooMany' },
  over_email_send_rate_limit: { key: 'refusal.tooMany' },
  same_password: { key: 'refusal.samePassword', field: 'password' },
  mfa_verification_failed: { key: 'refusal.wrongCode', field: 'code' },
  mfa_verification_rejected: { key: 'refusal.wrongCode', field: 'code' },
  otp_expired: { key: 'refusal.wrongCode', field: 'code' },
  mfa_challenge_expired: { key: 'refusal.codeExpired', field: 'code' },
  over_sms_send_rate_limit: { key: 'refusal.tooMany' },
  captcha_failed: { key: 'refusal.captcha' },
  provider_disabled: { key: 'refusal.providerOff' },
  ERROR_CEREMONY_ABORTED: { key: 'refusal.ceremony' },
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: { key: 'refusal.ceremony' },
  webauthn_challenge_expired: { key: 'refusal.ceremony' },
  webauthn_verification_failed: { key: 'refusal.keyUnknown' },
  reauthentication_needed: { key: 'refusal.reauthentication' },
  offline: { key: 'refusal.offline' },
}

/** Undefined for a code we have no words for: the server's own text stands then. */
export function refusalOf(error: ApiError): Refusal | undefined {
  return Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined
}

/** Says a refused try under its title. */
export function failing(title: TextKey): (error: ApiError) => Said {
  return (error) => {
    if (error.code === 'invalid_credentials') return { title, text: 'auth:refusal.checkCredentials' }
    const refusal = refusalOf(error)
    return refusal === undefined ? { title } : { title, text: `auth:${refusal.key}` }
  }
}

type Field = NonNullable<Refusal['field']>

/** The codes that blame one of these fields, for a form that has them. */
export function blaming<const Fields extends Field>(...fields: readonly Fields[]): Record<string, Fields> {
  const blamed: Record<string, Fields> = {}
  for (const [code, { field }] of Object.entries(BY_CODE)) {
    const own = fields.find((one) => one === field)
    if (own !== undefined) blamed[code] = own
  }
  return blamed
}
