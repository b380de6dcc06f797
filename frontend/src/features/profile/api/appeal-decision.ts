import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** One appeal for each decision; it is reviewed by another person than the one who decided. */
async function appealDecision({ id, message }: { id: string; message: string }): Promise<void> {
  const { error, status } = await supabase.rpc('appeal_decision', { p_case_id: id, p_message: message })
  if (error !== null) throw toApiError(error, status)
}

export const appealDecisionMutation = () =>
  mutationOptions({
    mutationFn: appealDecision,
    meta: { invalidates: [moderationKeys.ownDecisions], done: 'decisions:appealed' },
  })
