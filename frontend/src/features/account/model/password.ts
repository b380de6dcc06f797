/** The fields for a change of password. */
import * as v from 'valibot'
import { newPassword, samePasswords } from '@/entities/account/credentials'
import { oneTimeCode } from '@/lib/text/rules'

/** What the service may require besides the new password. */
export type RequiredProof = 'code' | 'current'

export const passwordChange = (demand: RequiredProof | null) =>
  v.pipe(
    v.object({
      current: demand === 'current' ? v.pipe(v.string(), v.nonEmpty('required')) : v.string(),
      password: newPassword(),
      confirmation: v.string(),
      code: demand === 'code' ? oneTimeCode() : v.string(),
    }),
    v.forward(v.partialCheck([['password'], ['confirmation']], samePasswords, 'passwordsDiffer'), ['confirmation']),
  )
