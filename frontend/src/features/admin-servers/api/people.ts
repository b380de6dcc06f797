import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { profileKeys } from '@/entities/profile/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing } from '@/lib/api/table-page'

const SHOWN = 8

/** Finds people by a part of their name. */
export const peopleQuery = (text: string) =>
  queryOptions({
    queryKey: profileKeys.found(text),
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('profiles')
          .select('id,username,email')
          .ilike('username', containing(text))
          .order('username')
          .limit(SHOWN)
          .abortSignal(signal),
      ),
    enabled: text.length >= 2,
    placeholderData: keepPreviousData,
  })
