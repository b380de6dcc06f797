import { toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

/** Gives the account a new password, as whoever followed the link of a reset e-mail may. */
export async function choosePassword({ password }: { password: string }): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password })
  if (error !== null) throw toApiError(error)
}
