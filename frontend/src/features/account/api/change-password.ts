import { toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

export interface PasswordChange {
  password: string
  /** The code of a reauthentication, where the service asked for one. */
  nonce: string | null
  /** Where the service asks for it. */
  currentPassword: string | null
}

export async function changePassword({ password, nonce, currentPassword }: PasswordChange): Promise<void> {
  const { error } = await supabase.auth.updateUser({
    password,
    ...(nonce !== null && { nonce }),
    ...(currentPassword !== null && { current_password: currentPassword }),
  })
  if (error !== null) throw toApiError(error)
}

/** Has a code sent to the account's address, which proves that it is still the same person. */
export async function requestCode(): Promise<void> {
  const { error } = await supabase.auth.reauthenticate()
  if (error !== null) throw toApiError(error)
}
