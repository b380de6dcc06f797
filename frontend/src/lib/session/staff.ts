import type { Profile } from './session'

/**
 * Whether a person is an administrator or moderator. Hiding pages protects nothing: the database
 * does.
 */
export function isStaff(profile: Profile | null): boolean {
  return profile?.role === 'admin' || profile?.role === 'founder'
}
