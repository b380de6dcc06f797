/** What is known of a server over time, fetched when somebody comes near. */
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
