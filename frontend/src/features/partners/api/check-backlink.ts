import { mutationOptions } from '@tanstack/react-query'
import { partnerKeys } from '@/entities/partner/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** The server checks the page within half a minute; the result appears in the table. */
async function checkBacklink(id: string): Promise<void> {
  const { error, status } = await supabase.rpc('check_backlink', { p_partner_id: id })
  if (error !== null) throw toApiError(error, status)
}

export const checkBacklinkMutation = () =>
  mutationOptions({
    mutationFn: checkBacklink,
    meta: { invalidates: [partnerKeys.all], failed: 'partners:notAsked' },
  })
