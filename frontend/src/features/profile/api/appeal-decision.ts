import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/errors'
import { laterKeys } from '@/lib/later-keys'
import { supabase } from '@/lib/supabase'

/** Once for each decision; another person than who decided it looks at it. */
async function appealDecision({ id, message }: { id: string; message: string }): Promise<void> {
  const { error, status } = await supabase.rpc('appeal_decision', { p_case_id: id, p_message: message })
  if (error !== null) throw toApiError(error, status)
}

export const appealDecisionMutation = () =>
  mutationOptions({
    mutationFn: appealDecision,
    meta: { invalidates: [laterKeys.moderation.ownDecisions], done: 'decisions:appealed' },
  })
