import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/**
 * Confirms a new account with the code of its email, which signs in here, also when the email is
 * read on another device.
 */
async function confirmAddress({ email, code }: { email: string; code: string }): Promise<void> {
  const { error } = await supabase.auth.verifyOtp({ email, token: code, type: 'signup' })
  if (error !== null) throw toApiError(error)
}

/** The form shows a refusal beside the code. */
export const confirmAddressMutation = () => mutationOptions({ mutationFn: confirmAddress })
