/** What a name must be before it is sent. */

export const USERNAME_LENGTH = { min: 2, max: 30 } as const

export function usernameProblem(username: string): 'username-required' | 'username-length' | undefined {
  const length = [...username.trim()].length
  if (length === 0) return 'username-required'
  return length < USERNAME_LENGTH.min || length > USERNAME_LENGTH.max ? 'username-length' : undefined
}
