/** Links and unlinks outside accounts. */
import { ACCOUNT_REFUSALS } from '../model/refusals'
import type { Provider, UserIdentity } from '@supabase/supabase-js'
import { mutationOptions } from '@tanstack/react-query'
import { rememberDeparture } from '@/entities/account/departure'
import { accountKeys } from '@/entities/account/keys'
import { providerName, type ProviderId } from '@/entities/account/providers'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Goes to the provider's page, which sends the browser back to `returnTo`. */
async function linkIdentity({ provider, returnTo }: { provider: ProviderId; returnTo: string }): Promise<void> {
  rememberDeparture({ purpose: 'link', provider })
  const redirectTo = window.location.origin + returnTo
  // The client's type has fewer providers than the service.
  const { error } = await supabase.auth.linkIdentity({ provider: provider as Provider, options: { redirectTo } })
  if (error !== null) throw toApiError(error)
}

export const linkIdentityMutation = () =>
  mutationOptions({
    mutationFn: linkIdentity,
    meta: { failed: 'account:identities.notLinked', refusals: ACCOUNT_REFUSALS },
  })

async function unlinkIdentity(identity: UserIdentity): Promise<void> {
  const { error } = await supabase.auth.unlinkIdentity(identity)
  if (error !== null) throw toApiError(error)
  await supabase.auth.refreshSession()
}

export const unlinkIdentityMutation = () =>
  mutationOptions({
    mutationFn: unlinkIdentity,
    meta: {
      invalidates: [accountKeys.user],
      waits: true,
      done: (_: void, { provider }: UserIdentity) => ({
        title: { key: 'account:identities.unlinked', values: { provider: providerName(provider) } },
      }),
      failed: 'account:identities.notUnlinked',
      refusals: ACCOUNT_REFUSALS,
    },
  })
