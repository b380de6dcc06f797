import type { Profile } from './session'

/** Whether somebody runs the site. It hides and protects nothing: the database does. */
export function isStaff(profile: Profile | null): boolean {
  return profile?.role === 'admin' || profile?.role === 'founder'
}
