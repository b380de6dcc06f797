import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Sets a new password for the account, in the session that the link of a reset email opened. */
async function choosePassword({ password }: { password: string; confirmation: string }): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password })
  if (error !== null) throw toApiError(error)
}

export const choosePasswordMutation = () =>
  mutationOptions({ mutationFn: choosePassword, meta: { failed: 'auth:newPassword.failed' } })
