/** Joining and parting outside accounts. */
import type { Provider, UserIdentity } from '@supabase/supabase-js'
import type { ProviderId } from '@/lib/account/providers'
import { toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

/** Leaves for the provider's page, which sends the browser back to `returnTo`. */
export async function linkIdentity({ provider, returnTo }: { provider: ProviderId; returnTo: string }): Promise<void> {
  const redirectTo = window.location.origin + returnTo
  // The client's list of names is shorter than the services'.
  const { error } = await supabase.auth.linkIdentity({ provider: provider as Provider, options: { redirectTo } })
  if (error !== null) throw toApiError(error)
}

export async function unlinkIdentity(identity: UserIdentity): Promise<void> {
  const { error } = await supabase.auth.unlinkIdentity(identity)
  if (error !== null) throw toApiError(error)
  await supabase.auth.refreshSession()
}
