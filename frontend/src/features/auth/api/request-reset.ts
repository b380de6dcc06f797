import { toApiError } from '@/lib/errors'
import type { Language } from '@/lib/languages'
import { paths } from '@/lib/paths'
import { supabase } from '@/lib/supabase'

/** Asks for the e-mail that leads to the page where a new password is chosen. */
export async function requestReset({ email, language }: { email: string; language: Language }): Promise<void> {
  const redirectTo = window.location.origin + paths.resetPassword(language)
  const { error } = await supabase.auth.resetPasswordForEmail(email, { redirectTo })
  if (error !== null) throw toApiError(error)
}
