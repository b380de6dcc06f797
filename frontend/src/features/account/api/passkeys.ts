/** Passkeys of an account. */
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { accountKeys } from '@/entities/account/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

async function fetchPasskeys() {
  return unwrap(await supabase.auth.passkey.list())
}

export type Passkey = Awaited<ReturnType<typeof fetchPasskeys>>[number]

export const passkeysQuery = () =>
  queryOptions({ queryKey: accountKeys.passkeys, queryFn: fetchPasskeys, staleTime: STALE_TIME.recent })

/** Creates a passkey in the browser and gives it a recognizable name. */
async function addPasskey(friendlyName: string): Promise<void> {
  const { id } = unwrap(await supabase.auth.registerPasskey())
  const { error } = await supabase.auth.passkey.update({ passkeyId: id, friendlyName })
  if (error !== null) throw toApiError(error)
}

export const addPasskeyMutation = () =>
  mutationOptions({
    mutationFn: addPasskey,
    meta: {
      invalidates: [accountKeys.passkeys],
      waits: true,
      done: { title: 'account:passkeys.added', text: 'account:passkeys.addedText' },
      failed: 'account:passkeys.notAdded',
      refusals: ACCOUNT_REFUSALS,
    },
  })

interface PasskeyRemoval {
  id: string
  /** The passkey's name, for the toast. */
  name: string
}

async function removePasskey({ id }: PasskeyRemoval): Promise<void> {
  const { error } = await supabase.auth.passkey.delete({ passkeyId: id })
  if (error !== null) throw toApiError(error)
}

export const removePasskeyMutation = () =>
  mutationOptions({
    mutationFn: removePasskey,
    meta: {
      invalidates: [accountKeys.passkeys],
      waits: true,
      done: (_: void, { name }: PasskeyRemoval) => ({ title: 'account:passkeys.removed', text: { plain: name } }),
      failed: 'account:passkeys.notRemoved',
      refusals: ACCOUNT_REFUSALS,
    },
  })
