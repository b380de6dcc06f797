/** What a new password must be before it is sent. */

export const MIN_PASSWORD = 6

export type PasswordProblem = 'password-required' | 'password-short' | 'passwords-differ'

/** Words beside the fields, from here or from the service. */
export type PasswordProblems = Partial<Record<'current' | 'password' | 'confirmation' | 'code', string>>

export function passwordProblems(fields: {
  password: string
  confirmation: string
}): Partial<Record<'password' | 'confirmation', PasswordProblem>> {
  if (fields.password === '') return { password: 'password-required' }
  if ([...fields.password].length < MIN_PASSWORD) return { password: 'password-short' }
  return fields.password === fields.confirmation ? {} : { confirmation: 'passwords-differ' }
}
