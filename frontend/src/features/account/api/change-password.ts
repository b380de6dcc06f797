import { mutationOptions } from '@tanstack/react-query'
import { refusalText } from '@/lib/i18n/refusal'
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

export interface PasswordChange {
  password: string
  /** The code of a reauthentication, where the service asked for one. */
  nonce: string | null
  /** Where the service asks for it. */
  currentPassword: string | null
}

async function changePassword({ password, nonce, currentPassword }: PasswordChange): Promise<void> {
  const { error } = await supabase.auth.updateUser({
    password,
    ...(nonce !== null && { nonce }),
    ...(currentPassword !== null && { current_password: currentPassword }),
  })
  if (error !== null) throw toApiError(error)
}

/** The two demands are not told as failures: the form asks for what is missing. */
export const changePasswordMutation = () =>
  mutationOptions({
    mutationFn: changePassword,
    meta: {
      done: { title: 'account:password.done', text: 'account:password.doneText' },
      failed: (error, { currentPassword }: PasswordChange) =>
        error.code === 'reauthentication_needed' ||
        (error.code === 'current_password_required' && currentPassword === null)
          ? null
          : { title: 'account:password.failed', text: { plain: refusalText(error, ACCOUNT_REFUSALS) } },
    },
  })

/** Has a code sent to the account's address, which proves that it is still the same person. */
async function requestCode(): Promise<void> {
  const { error } = await supabase.auth.reauthenticate()
  if (error !== null) throw toApiError(error)
}

export const requestCodeMutation = () =>
  mutationOptions({ mutationFn: requestCode, meta: { failed: 'account:password.failed' } })
