/** Rules for the username and password of an account, shared by all forms that ask for them. */
import * as v from 'valibot'
import { longest, shortest } from '@/lib/text/rules'

const MIN_PASSWORD = 6
const USERNAME_LENGTH = { min: 2, max: 30 } as const

/** A new password. Spaces count: they are part of it. */
export const newPassword = () => v.pipe(v.string(), v.nonEmpty('required'), shortest(MIN_PASSWORD))

export const username = () =>
  v.pipe(v.string(), v.trim(), v.nonEmpty('required'), shortest(USERNAME_LENGTH.min), longest(USERNAME_LENGTH.max))

export const samePasswords = (typed: { password: string; confirmation: string }): boolean =>
  typed.password === typed.confirmation

/** A password typed twice. */
export const CHOSEN_PASSWORD = v.pipe(
  v.object({ password: newPassword(), confirmation: v.string() }),
  v.forward(v.partialCheck([['password'], ['confirmation']], samePasswords, 'passwordsDiffer'), ['confirmation']),
)
