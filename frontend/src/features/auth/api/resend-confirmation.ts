import { toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { withCaptcha } from './captcha'

/** Asks for another e-mail that confirms the address of a new account. */
export function resendConfirmation(email: string): Promise<void> {
  return withCaptcha(async (captchaToken) => {
    const { error } = await supabase.auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: `${window.location.origin}/`, captchaToken },
    })
    if (error !== null) throw toApiError(error)
  })
}
