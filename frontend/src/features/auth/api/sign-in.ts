import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { needsSecondStep } from '@/lib/session/session-store'
import { supabase } from '@/lib/api/supabase'
import { withCaptcha } from './captcha'

/** Signs in with email and password; the session provider is notified by the client. */
function signIn({ email, password }: { email: string; password: string }): Promise<'done' | 'secondStep'> {
  return withCaptcha(async (captchaToken) => {
    const { data, error } = await supabase.auth.signInWithPassword({ email, password, options: { captchaToken } })
    if (error !== null) throw toApiError(error)
    return needsSecondStep(data.session) ? 'secondStep' : 'done'
  })
}

export const signInMutation = () =>
  mutationOptions({
    mutationFn: signIn,
    meta: { failed: 'auth:signIn.failed', refusals: { invalid_credentials: 'auth:refusal.checkCredentials' } },
  })
