import { mutationOptions } from '@tanstack/react-query'
import type { Provider } from '@supabase/supabase-js'
import { rememberDeparture } from '@/entities/account/departure'
import type { ProviderId } from '@/entities/account/providers'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Goes to the provider's page, which sends the browser back to the current page. */
async function signInWithProvider(provider: ProviderId): Promise<void> {
  rememberDeparture({ purpose: 'signIn', provider })
  const redirectTo = window.location.origin + window.location.pathname
  // The client's type has fewer providers than the service.
  const { error } = await supabase.auth.signInWithOAuth({ provider: provider as Provider, options: { redirectTo } })
  if (error !== null) throw toApiError(error)
}

export const signInWithProviderMutation = () =>
  mutationOptions({ mutationFn: signInWithProvider, meta: { failed: 'auth:signIn.failed' } })
