/**
 * The field of the sign-in forms to which a refusal belongs; other refusals are shown above the
 * button.
 */

type Field = 'email' | 'username' | 'password' | 'code'

const FIELDS: Readonly<Record<string, Field>> = {
  invalid_credentials: 'password',
  weak_password: 'password',
  same_password: 'password',
  user_not_found: 'email',
  email_not_confirmed: 'email',
  user_already_exists: 'email',
  email_exists: 'email',
  email_address_invalid: 'email',
  email_address_not_authorized: 'email',
  username_taken: 'username',
  mfa_verification_failed: 'code',
  mfa_verification_rejected: 'code',
  otp_expired: 'code',
  mfa_challenge_expired: 'code',
}

/** The codes that belong to these fields, for a form that has them. */
export function blaming<const Fields extends Field>(...fields: readonly Fields[]): Record<string, Fields> {
  const blamed: Record<string, Fields> = {}
  for (const [code, field] of Object.entries(FIELDS)) {
    const ownField = fields.find((one) => one === field)
    if (ownField !== undefined) blamed[code] = ownField
  }
  return blamed
}
