import { mutationOptions } from '@tanstack/react-query'
import { refusalText } from '@/lib/i18n/refusal'
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

export interface PasswordChange {
  password: string
  /** The code of a reauthentication, if the service requires one. */
  nonce: string | null
  /** The current password, if the service requires it. */
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

/** The two requirements are not shown as failures: the form asks for the missing value. */
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

/** Sends a code to the account's address, which proves the identity again. */
async function requestCode(): Promise<void> {
  const { error } = await supabase.auth.reauthenticate()
  if (error !== null) throw toApiError(error)
}

export const requestCodeMutation = () =>
  mutationOptions({ mutationFn: requestCode, meta: { failed: 'account:password.failed' } })
