/** What a new password must be before it is sent. */

export const MIN_PASSWORD = 6

export type PasswordProblem = 'passwordRequired' | 'passwordShort' | 'passwordsDiffer'

/** Words beside the fields, from here or from the service. */
export type PasswordProblems = Partial<Record<'current' | 'password' | 'confirmation' | 'code', string>>

export function passwordProblems(fields: {
  password: string
  confirmation: string
}): Partial<Record<'password' | 'confirmation', PasswordProblem>> {
  if (fields.password === '') return { password: 'passwordRequired' }
  if ([...fields.password].length < MIN_PASSWORD) return { password: 'passwordShort' }
  return fields.password === fields.confirmation ? {} : { confirmation: 'passwordsDiffer' }
}
