import { mutationOptions } from '@tanstack/react-query'
import { partnerKeys } from '@/entities/partner/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { PartnerValues } from '../model/partner'

/** A changed address is checked soon. */
async function savePartner({ id, values }: { id: string | null; values: PartnerValues }): Promise<void> {
  const row = {
    name: values.name,
    url: values.url,
    logo_url: values.logo || null,
    description: values.description || null,
    position: values.position,
    backlink_url: values.backlink || null,
    is_active: values.shown,
  }
  const partners = supabase.from('partners')
  const request = id === null ? partners.insert(row) : partners.update(row).eq('id', id)
  const { error, status } = await request.select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const savePartnerMutation = () =>
  mutationOptions({
    mutationFn: savePartner,
    meta: { invalidates: [partnerKeys.all], done: 'partners:saved' },
  })
