/** Whether a server accepts only votes with a ticket of its own site. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

async function fetchRule(serverId: string, signal: AbortSignal): Promise<boolean> {
  const rows = supabase.from('server_standings').select('requires_ticket').eq('server_id', serverId)
  const answer = await rows.abortSignal(signal).single()
  return unwrap(answer).requires_ticket
}

export const ticketRuleQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.ticketRule(serverId),
    queryFn: ({ signal }) => fetchRule(serverId, signal),
  })

async function setRule(serverId: string, required: boolean): Promise<void> {
  const { error, status } = await supabase.rpc('set_ticket_rule', { p_server_id: serverId, p_required: required })
  if (error !== null) throw toApiError(error, status)
}

export const setTicketRuleMutation = (serverId: string) =>
  mutationOptions({
    mutationFn: (required: boolean) => setRule(serverId, required),
    meta: {
      invalidates: [serverKeys.ticketRule(serverId)],
      waits: true,
      done: (_: void, required: boolean) => ({
        title: required ? 'own-server:integrations.tickets.nowRequired' : 'own-server:integrations.tickets.nowOptional',
      }),
      failed: 'own-server:integrations.tickets.failed',
    },
  })
