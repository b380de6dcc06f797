import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { laterKeys } from '@/lib/later-keys'
import { supabase } from '@/lib/supabase'
import type { CaseFile } from '../model/case'

/** A case with everything beside it. */
export const caseFileQuery = (id: string) =>
  queryOptions({
    queryKey: laterKeys.moderation.file(id),
    queryFn: async ({ signal }) => {
      const file: unknown = unwrap(await supabase.rpc('get_moderation_case', { p_case_id: id }).abortSignal(signal))
      return file as CaseFile
    },
  })
