import { ACCOUNT_REFUSALS } from '../model/refusals'
import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { muteSessionEvents } from '@/lib/session/session'
import { supabase } from '@/lib/api/supabase'

/**
 * Deletes the account at once; the procedure decides what that means for listings, votes and
 * reviews.
 */
async function deleteAccount(): Promise<void> {
  const { error, status } = await supabase.rpc('delete_own_account')
  if (error !== null) throw toApiError(error, status)
  // The session was deleted with the account: this only clears it in the browser.
  await supabase.auth.signOut({ scope: 'local' })
}

export const deleteAccountMutation = () =>
  mutationOptions({
    mutationFn: () => muteSessionEvents(deleteAccount),
    meta: {
      done: { title: 'account:danger.done', text: 'account:danger.doneText' },
      failed: 'account:danger.failed',
      refusals: ACCOUNT_REFUSALS,
    },
  })
