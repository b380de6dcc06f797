import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import type { AdministeredServer } from '@/entities/server/admin-dialog'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Refusals } from '@/lib/i18n/refusal'

interface ModerationDecision {
  server: AdministeredServer
  decision: 'approve' | 'refuse' | 'suspend' | 'restore'
  reason?: string
}

/** Another administrator decided first. */
export const MODERATION_REFUSALS: Refusals = { server_decided: 'admin-servers:decided' }

async function moderateServer({ server, decision, reason }: ModerationDecision): Promise<void> {
  const { error, status } = await supabase.rpc('judge_server', {
    p_server_id: server.id,
    p_decision: decision,
    p_seen_state: server.state,
    ...(reason !== undefined && { p_reason: reason }),
  })
  if (error !== null) throw toApiError(error, status)
}

const meta = {
  invalidates: [serverKeys.all, moderationKeys.pending],
  refusals: MODERATION_REFUSALS,
  done: (_: void, { server, decision }: ModerationDecision) => ({
    title: { key: `admin-servers:done.${decision}` as const, values: { name: server.name } },
  }),
}

/** For a form, which shows a refusal itself. */
export const moderateServerMutation = () => mutationOptions({ mutationFn: moderateServer, meta })

/** For a menu: a refusal is a toast. */
export const settleServerMutation = () =>
  mutationOptions({ mutationFn: moderateServer, meta: { ...meta, failed: 'admin-servers:notDecided' } })
