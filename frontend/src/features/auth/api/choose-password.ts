import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Gives the account a new password, as whoever followed the link of a reset e-mail may. */
async function choosePassword({ password }: { password: string; confirmation: string }): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password })
  if (error !== null) throw toApiError(error)
}

export const choosePasswordMutation = () =>
  mutationOptions({ mutationFn: choosePassword, meta: { failed: 'auth:newPassword.failed' } })
