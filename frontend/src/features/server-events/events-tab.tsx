import { useQuery } from '@tanstack/react-query'
import { useNow } from '@/components/ui/use-now'
import { promotionQuery } from './api/promotion'
import { ServerEvents } from './server-events'

/** The events of a server that is edited: whoever may open it may delete them too. */
export function EventsTab({ serverId }: { serverId: string }) {
  const { data: end } = useQuery(promotionQuery(serverId))
  const now = useNow(60_000)
  // Until it is known nobody is told that visitors do not see them.
  const isPrestige = end === undefined || (end !== null && Date.parse(end) > now)
  return <ServerEvents serverId={serverId} isPrestige={isPrestige} canDelete />
}
