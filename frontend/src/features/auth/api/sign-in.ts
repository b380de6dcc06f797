import { toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

/** Signs in with e-mail and password; the session provider hears of it by itself. */
export async function signIn({ email, password }: { email: string; password: string }): Promise<void> {
  const { error } = await supabase.auth.signInWithPassword({ email, password })
  if (error !== null) throw toApiError(error)
}
