import { toApiError } from '@/lib/errors'
import { needsSecondStep } from '@/lib/session-store'
import { supabase } from '@/lib/supabase'
import { withCaptcha } from './captcha'

/** Signs in with e-mail and password; the session provider hears of it by itself. */
export function signIn({ email, password }: { email: string; password: string }): Promise<'done' | 'secondStep'> {
  return withCaptcha(async (captchaToken) => {
    const { data, error } = await supabase.auth.signInWithPassword({ email, password, options: { captchaToken } })
    if (error !== null) throw toApiError(error)
    return needsSecondStep(data.session) ? 'secondStep' : 'done'
  })
}
