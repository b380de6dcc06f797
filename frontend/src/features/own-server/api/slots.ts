import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

async function fetchSlots(signal: AbortSignal) {
  const answer = await supabase.rpc('get_my_server_slots').abortSignal(signal).single()
  return unwrap(answer)
}

/** How many servers this person may list, and how many they have. */
export const slotsQuery = (userId: string) =>
  queryOptions({
    queryKey: serverKeys.slots(userId),
    queryFn: ({ signal }) => fetchSlots(signal),
    staleTime: STALE_TIME.moving,
  })
