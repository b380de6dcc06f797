/** Validation of the sign-in forms. */
import * as v from 'valibot'
import { newPassword, username } from '@/entities/account/credentials'
import { email, oneTimeCode } from '@/lib/text/rules'

/**
 * An existing password is only required, because the rules may have changed since it was chosen.
 */
export const SIGN_IN = v.object({ email: email(), password: v.pipe(v.string(), v.nonEmpty('required')) })

export const SIGN_UP = v.object({ username: username(), email: email(), password: newPassword() })

export const RESET = v.object({ email: email() })

export const CODE = v.object({ code: oneTimeCode() })
