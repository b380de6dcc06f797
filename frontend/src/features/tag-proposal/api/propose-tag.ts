import { mutationOptions } from '@tanstack/react-query'
import { tagProposalKeys } from '@/entities/tag/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Refusals } from '@/lib/i18n/refusal'

interface Proposal {
  userId: string
  name: string
  description: string
  /** One of the ten colors, `#rrggbb`. */
  colour: string
}

/** Creates a proposal; only its author and administrators see it. */
async function proposeTag({ userId, name, description, colour }: Proposal): Promise<void> {
  const { error, status } = await supabase
    .from('tag_proposals')
    .insert({ name, description: description || null, color: colour, proposed_by: userId })
  if (error !== null) throw toApiError(error, status)
}

/** The code of the refusal when too many proposals are pending. */
export const PROPOSAL_REFUSALS: Refusals = { P0001: 'tag-proposal:limit' }

/** The form shows refusals; a toast confirms success. */
export const proposeTagMutation = () =>
  mutationOptions({
    mutationFn: proposeTag,
    meta: {
      invalidates: [tagProposalKeys.all],
      done: { title: 'tag-proposal:done.title', text: 'tag-proposal:done.text' },
    },
  })
