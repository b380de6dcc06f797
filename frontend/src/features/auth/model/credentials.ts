/** What the forms of the account dialog ask of their fields, before anything is sent. */
import * as v from 'valibot'
import { newPassword, username } from '@/entities/account/credentials'
import { email, oneTimeCode } from '@/lib/text/rules'

/** A password that exists is only asked for: what it must be may have changed since. */
export const SIGN_IN = v.object({ email: email(), password: v.pipe(v.string(), v.nonEmpty('required')) })

export const SIGN_UP = v.object({ username: username(), email: email(), password: newPassword() })

export const RESET = v.object({ email: email() })

export const CODE = v.object({ code: oneTimeCode() })
