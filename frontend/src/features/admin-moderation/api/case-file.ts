import { queryOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { CaseFile } from '../model/case'

/** A case with everything that belongs to it. */
export const caseFileQuery = (id: string) =>
  queryOptions({
    queryKey: moderationKeys.file(id),
    queryFn: async ({ signal }) => {
      const file: unknown = unwrap(await supabase.rpc('get_moderation_case', { p_case_id: id }).abortSignal(signal))
      return file as CaseFile
    },
  })
