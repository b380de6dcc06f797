/** The current account from the auth service, including identities and factors. */
import type { Factor, User, UserIdentity } from '@supabase/supabase-js'
import { queryOptions } from '@tanstack/react-query'
import { accountKeys } from '@/entities/account/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

export type { Factor, User, UserIdentity }

async function fetchUser(): Promise<User> {
  const { data, error } = await supabase.auth.getUser()
  if (error !== null) throw toApiError(error)
  return data.user
}

export const userQuery = () =>
  queryOptions({ queryKey: accountKeys.user, queryFn: fetchUser, staleTime: STALE_TIME.recent })
