/** What a name must be before it is sent. */

export const USERNAME_LENGTH = { min: 2, max: 30 } as const

export function usernameProblem(username: string): 'usernameRequired' | 'usernameLength' | undefined {
  const length = [...username.trim()].length
  if (length === 0) return 'usernameRequired'
  return length < USERNAME_LENGTH.min || length > USERNAME_LENGTH.max ? 'usernameLength' : undefined
}
