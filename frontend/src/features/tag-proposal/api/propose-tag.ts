import { mutationOptions } from '@tanstack/react-query'
import { tagProposalKeys } from '@/entities/tag/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Refusals } from '@/lib/i18n/refusal'

interface Proposal {
  userId: string
  name: string
  description: string
  /** One of the ten, `#rrggbb`. */
  colour: string
}

/** Files a proposal; its author and those who decide alone see it. */
async function proposeTag({ userId, name, description, colour }: Proposal): Promise<void> {
  const { error, status } = await supabase
    .from('tag_proposals')
    .insert({ name, description: description || null, color: colour, proposed_by: userId })
  if (error !== null) throw toApiError(error, status)
}

/** Raised where too many wait for an answer already. */
export const PROPOSAL_REFUSALS: Refusals = { P0001: 'tag-proposal:limit' }

/** The form says a refusal; what is done, a toast. */
export const proposeTagMutation = () =>
  mutationOptions({
    mutationFn: proposeTag,
    meta: {
      invalidates: [tagProposalKeys.all],
      done: { title: 'tag-proposal:done.title', text: 'tag-proposal:done.text' },
    },
  })
