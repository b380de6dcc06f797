import { mutationOptions } from '@tanstack/react-query'
import { ApiError, toApiError } from '@/lib/api/errors'
import type { Language } from '@/lib/i18n/languages'
import { supabase } from '@/lib/api/supabase'
import { withCaptcha } from './captcha'

interface SignUp {
  email: string
  password: string
  username: string
  /** The language of emails to this person. */
  language: Language
}

/**
 * Creates an account. `confirm` means that the email address must be confirmed before the first
 * sign-in.
 */
function signUp({ email, password, username, language }: SignUp): Promise<'signedIn' | 'confirm'> {
  const emailRedirectTo = `${window.location.origin}/`
  return withCaptcha(async (captchaToken) => {
    const { data, error } = await supabase.auth.signUp({
      email,
      password,
      options: { data: { username, lang: language }, emailRedirectTo, captchaToken },
    })
    if (error !== null) throw refused(toApiError(error))
    // To hide who has an account, the service answers a known address like a new one, but without
    // identities.
    if (data.user?.identities?.length === 0) throw new ApiError('user_already_exists', 'User already registered', 422)
    return data.session === null ? 'confirm' : 'signedIn'
  })
}

const OF_THE_SITE: ReadonlySet<string> = new Set(['username_taken', 'signup_disabled'])

/** The site's own refusals arrive as a message of the service, because hooks cannot set codes. */
function refused(error: ApiError): ApiError {
  return OF_THE_SITE.has(error.message) ? new ApiError(error.message, error.message, error.status) : error
}

export const signUpMutation = () =>
  mutationOptions({
    mutationFn: signUp,
    meta: {
      done: (next: 'signedIn' | 'confirm') =>
        next === 'confirm' ? { title: 'auth:signUp.done.title', text: 'auth:signUp.done.toast' } : null,
      failed: 'auth:signUp.failed',
    },
  })
