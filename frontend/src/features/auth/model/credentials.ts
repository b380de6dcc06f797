/** What the three forms ask of their fields, before anything is sent. */

export const MIN_PASSWORD = 6
export const USERNAME_LENGTH = { min: 2, max: 30 } as const

export type Problem =
  | 'emailRequired'
  | 'emailInvalid'
  | 'passwordRequired'
  | 'passwordShort'
  | 'passwordsDiffer'
  | 'usernameRequired'
  | 'usernameLength'

export type FieldName = 'email' | 'username' | 'password' | 'confirmation'

export type Problems = Partial<Record<FieldName, Problem>>

/** As lenient as the browser's own e-mail field. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

function emailProblem(email: string): Problem | undefined {
  if (email.trim() === '') return 'emailRequired'
  return EMAIL.test(email.trim()) ? undefined : 'emailInvalid'
}

function usernameProblem(username: string): Problem | undefined {
  const length = [...username.trim()].length
  if (length === 0) return 'usernameRequired'
  return length < USERNAME_LENGTH.min || length > USERNAME_LENGTH.max ? 'usernameLength' : undefined
}

function newPasswordProblem(password: string): Problem | undefined {
  if (password === '') return 'passwordRequired'
  return [...password].length < MIN_PASSWORD ? 'passwordShort' : undefined
}

function found(problems: Record<string, Problem | undefined>): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

export function signInProblems(fields: { email: string; password: string }): Problems {
  return found({
    email: emailProblem(fields.email),
    password: fields.password === '' ? 'passwordRequired' : undefined,
  })
}

export function signUpProblems(fields: { email: string; username: string; password: string }): Problems {
  return found({
    username: usernameProblem(fields.username),
    email: emailProblem(fields.email),
    password: newPasswordProblem(fields.password),
  })
}

export function resetProblems(fields: { email: string }): Problems {
  return found({ email: emailProblem(fields.email) })
}

export function newPasswordProblems(fields: { password: string; confirmation: string }): Problems {
  return found({
    password: newPasswordProblem(fields.password),
    confirmation: fields.password === fields.confirmation ? undefined : 'passwordsDiffer',
  })
}
