import { ResetPasswordPage } from '@/features/auth/reset-password-page'
import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import type { PageMatch } from '@/lib/pages'
import { ProfilePage } from '../pages/profile-page'

/** What belongs to one person. */
export function AccountArea({ match: { key } }: { match: PageMatch }) {
  if (key === 'profile') return <ProfilePage />
  if (key === 'resetPassword') return <ResetPasswordPage />
  return <ComingSoonPage page={key} />
}
