/** Charts of a server's history, loaded near the viewport. */
import { Sections } from '@/components/ui/crash-boundary'
import { Uptime } from './uptime'
import { VoteOutcomes } from './vote-outcomes'

export function AvailabilityAndOutcomes({ serverId }: { serverId: string }) {
  return (
    <Sections>
      <Uptime serverId={serverId} />
      <VoteOutcomes serverId={serverId} />
    </Sections>
  )
}
