import { mutationOptions } from '@tanstack/react-query'
import { partnerKeys } from '@/entities/partner/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

async function deletePartner(id: string): Promise<void> {
  const { error, status } = await supabase.from('partners').delete().eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const deletePartnerMutation = () =>
  mutationOptions({
    mutationFn: deletePartner,
    meta: { invalidates: [partnerKeys.all], done: 'partners:deleted', failed: 'partners:notDeleted' },
  })
