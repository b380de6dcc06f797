import { toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

/** Asks for another e-mail that confirms the address of a new account. */
export async function resendConfirmation(email: string): Promise<void> {
  const { error } = await supabase.auth.resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: `${window.location.origin}/` },
  })
  if (error !== null) throw toApiError(error)
}
