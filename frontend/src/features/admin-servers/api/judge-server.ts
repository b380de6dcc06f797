import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import type { Refusals } from '@/lib/i18n/refusal'
import type { ActedServer } from '@/entities/server/admin-dialog'
import { supabase } from '@/lib/api/supabase'

export interface Judgement {
  server: ActedServer
  decision: 'approve' | 'refuse' | 'suspend' | 'restore'
  reason?: string
}

/** Another administrator was quicker. */
export const JUDGEMENT_REFUSALS: Refusals = { server_decided: 'admin-servers:decided' }

async function judgeServer({ server, decision, reason }: Judgement): Promise<void> {
  const { error, status } = await supabase.rpc('judge_server', {
    p_server_id: server.id,
    p_decision: decision,
    p_seen_state: server.state,
    ...(reason !== undefined && { p_reason: reason }),
  })
  if (error !== null) throw toApiError(error, status)
}

const meta = {
  invalidates: [keys.servers.all, keys.waiting.own],
  refusals: JUDGEMENT_REFUSALS,
  done: (_: void, { server, decision }: Judgement) => ({
    title: { key: `admin-servers:done.${decision}` as const, values: { name: server.name } },
  }),
}

/** From a form, which says a refusal itself. */
export const judgeServerMutation = () => mutationOptions({ mutationFn: judgeServer, meta })

/** From a menu: a refusal is a toast. */
export const settleServerMutation = () =>
  mutationOptions({ mutationFn: judgeServer, meta: { ...meta, failed: 'admin-servers:notDecided' } })
