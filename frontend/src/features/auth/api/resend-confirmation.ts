import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { withCaptcha } from './captcha'

/** Requests another confirmation email for a new account. */
function resendConfirmation(email: string): Promise<void> {
  return withCaptcha(async (captchaToken) => {
    const { error } = await supabase.auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: `${window.location.origin}/`, captchaToken },
    })
    if (error !== null) throw toApiError(error)
  })
}

export const resendConfirmationMutation = () =>
  mutationOptions({
    mutationFn: resendConfirmation,
    meta: {
      done: (_: void, email: string) => ({ title: 'auth:confirm.resent', text: { plain: email } }),
      failed: 'auth:reset.failed',
    },
  })
