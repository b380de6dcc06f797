import type { PageMatch } from '@/lib/pages'
import { ComingPage } from '../pages/coming-page'
import { ProfilePage } from '../pages/profile-page'
import { ResetPasswordPage } from '../pages/reset-password-page'

/** What belongs to one person. */
export function AccountArea({ match: { key } }: { match: PageMatch }) {
  if (key === 'profile') return <ProfilePage />
  if (key === 'resetPassword') return <ResetPasswordPage />
  return <ComingPage page={key} />
}
