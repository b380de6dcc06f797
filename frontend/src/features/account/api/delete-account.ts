import { toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

/** Erases the account at once; what that means for listings, votes and reviews is the procedure's business. */
export async function deleteAccount(): Promise<void> {
  const { error, status } = await supabase.rpc('delete_own_account')
  if (error !== null) throw toApiError(error, status)
  // The session is gone with the account: this only makes the browser forget it.
  await supabase.auth.signOut({ scope: 'local' })
}
