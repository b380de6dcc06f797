import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { reviewKeys } from '@/entities/review/keys'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { decodeStored } from '@/lib/text/stored-text'
import type { Refusals } from '@/lib/i18n/refusal'
import type { CaseRow, Decision } from '../model/case'

interface CaseDecision {
  id: string
  label: string
  decision: Decision
  reason?: string
  statement?: string
  sanction?: string
  days?: number
}

/** The case is read again, and shows who decided it. */
export const DECISION_REFUSALS: Refusals = {
  case_decided: 'admin-moderation:refusal.decided',
  case_taken_back: 'admin-moderation:refusal.takenBack',
  appeal_of_own_decision: 'admin-moderation:refusal.own',
  server_decided: 'admin-moderation:refusal.decided',
}

async function decideCase({ id, decision, reason, statement, sanction, days }: CaseDecision): Promise<void> {
  const { error, status } = await supabase.rpc('decide_case', {
    p_case_id: id,
    p_decision: decision,
    ...(reason !== undefined && { p_reason: reason }),
    ...(statement !== undefined && { p_statement: statement }),
    ...(sanction !== undefined && { p_sanction: sanction }),
    ...(days !== undefined && { p_days: days }),
  })
  if (error !== null) throw toApiError(error, status)
}

async function undoDecision({ id }: Pick<CaseRow, 'id' | 'label'>): Promise<void> {
  const { error, status } = await supabase.rpc('undo_decision', { p_case_id: id })
  if (error !== null) throw toApiError(error, status)
}

const meta = {
  invalidates: [moderationKeys.all, moderationKeys.pending, serverKeys.all, reviewKeys.all],
  refusals: DECISION_REFUSALS,
}

/** For the form, which shows a refusal itself. */
export const decideInWordsMutation = () => mutationOptions({ mutationFn: decideCase, meta })

/** For a key or a button: a refusal is a toast. */
export const decideCaseMutation = () =>
  mutationOptions({ mutationFn: decideCase, meta: { ...meta, failed: 'admin-moderation:notDecided' } })

export const undoDecisionMutation = () =>
  mutationOptions({
    mutationFn: undoDecision,
    meta: {
      ...meta,
      failed: 'admin-moderation:notUndone',
      done: (_: void, { label }: Pick<CaseRow, 'label'>) => ({
        title: { key: 'admin-moderation:undone' as const, values: { label: decodeStored(label) } },
      }),
    },
  })
