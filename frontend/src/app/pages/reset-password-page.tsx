import { ResetPasswordPage as ResetPassword } from '@/features/auth/reset-password-page'
import { PageFrame } from '../page-frame'
import { usePageHead } from '../use-page-head'

export function ResetPasswordPage() {
  usePageHead('resetPassword')
  return (
    <PageFrame page="resetPassword">
      <ResetPassword />
    </PageFrame>
  )
}
