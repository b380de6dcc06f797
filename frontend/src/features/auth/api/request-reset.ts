import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import type { Language } from '@/lib/i18n/languages'
import { paths } from '@/lib/routing/paths'
import { supabase } from '@/lib/api/supabase'
import { withCaptcha } from './captcha'

/** Requests the email that leads to the page for a new password. */
function requestReset({ email, language }: { email: string; language: Language }): Promise<void> {
  const redirectTo = window.location.origin + paths.resetPassword(language)
  return withCaptcha(async (captchaToken) => {
    const { error } = await supabase.auth.resetPasswordForEmail(email, { redirectTo, captchaToken })
    if (error !== null) throw toApiError(error)
  })
}

export const requestResetMutation = () =>
  mutationOptions({
    mutationFn: requestReset,
    meta: {
      done: { title: 'auth:reset.done.title', text: 'auth:reset.done.toast' },
      failed: 'auth:reset.failed',
    },
  })
