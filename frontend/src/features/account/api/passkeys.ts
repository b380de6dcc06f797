/** Keys in a person's devices that sign them in without a password. */
import { queryOptions } from '@tanstack/react-query'
import { toApiError, unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { accountKeys } from './keys'

async function fetchPasskeys() {
  return unwrap(await supabase.auth.passkey.list())
}

export type Passkey = Awaited<ReturnType<typeof fetchPasskeys>>[number]

export const passkeysQuery = () =>
  queryOptions({ queryKey: accountKeys.passkeys, queryFn: fetchPasskeys, staleTime: 30_000 })

/** Has the browser make a key, and calls it by a name its owner will know. */
export async function addPasskey(friendlyName: string): Promise<void> {
  const { id } = unwrap(await supabase.auth.registerPasskey())
  const { error } = await supabase.auth.passkey.update({ passkeyId: id, friendlyName })
  if (error !== null) throw toApiError(error)
}

export async function removePasskey(passkeyId: string): Promise<void> {
  const { error } = await supabase.auth.passkey.delete({ passkeyId })
  if (error !== null) throw toApiError(error)
}
