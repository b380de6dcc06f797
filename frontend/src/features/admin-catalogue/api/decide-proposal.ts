import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { tagKeys, tagProposalKeys } from '@/entities/tag/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Refusals } from '@/lib/i18n/refusal'
import type { AcceptValues } from '../model/proposal'

/** Refusals: another administrator decided first, or the name is taken. */
export const DECISION_REFUSALS: Refusals = {
  '22023': 'admin-catalogue:proposals.decided',
  '23505': 'admin-catalogue:tags.taken',
}

const SHOWN = [tagProposalKeys.all, tagKeys.all, moderationKeys.pending]

/** Accepts the proposal and creates the tag with these values. */
async function acceptProposal({ id, values }: { id: string; values: AcceptValues }): Promise<void> {
  const { error, status } = await supabase.rpc('approve_tag_proposal', {
    p_proposal_id: id,
    p_name: values.name,
    p_name_fr: values.names.fr,
    p_name_en: values.names.en,
    p_name_es: values.names.es,
    p_description_fr: values.description.fr,
    p_description_en: values.description.en,
    p_description_es: values.description.es,
    p_color: values.colour,
    ...(values.note !== '' && { p_admin_notes: values.note }),
  })
  if (error !== null) throw toApiError(error, status)
}

async function refuseProposal({ id, note }: { id: string; note: string }): Promise<void> {
  const { error, status } = await supabase.rpc('reject_tag_proposal', { p_proposal_id: id, p_admin_notes: note })
  if (error !== null) throw toApiError(error, status)
}

export const acceptProposalMutation = () =>
  mutationOptions({
    mutationFn: acceptProposal,
    meta: { invalidates: SHOWN, done: 'admin-catalogue:proposals.accepted' },
  })

export const refuseProposalMutation = () =>
  mutationOptions({
    mutationFn: refuseProposal,
    meta: { invalidates: SHOWN, done: 'admin-catalogue:proposals.refused' },
  })
