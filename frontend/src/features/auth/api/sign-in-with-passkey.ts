import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { needsSecondStep } from '@/lib/session/session-store'
import { supabase } from '@/lib/api/supabase'
import { withCaptcha } from './captcha'

/** Signs in with a passkey; the browser lets the person choose one. */
function signInWithPasskey(): Promise<'done' | 'secondStep'> {
  return withCaptcha(async (captchaToken) => {
    const { data, error } = await supabase.auth.signInWithPasskey({ options: { captchaToken } })
    if (error !== null) throw toApiError(error)
    return data.session !== null && needsSecondStep(data.session) ? 'secondStep' : 'done'
  })
}

export const signInWithPasskeyMutation = () =>
  mutationOptions({ mutationFn: signInWithPasskey, meta: { failed: 'auth:passkey.failed' } })
