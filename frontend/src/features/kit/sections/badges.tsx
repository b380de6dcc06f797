import { Badge, StatusBadge, TagChip } from '@/components/ui/badge'
import { Example } from '@/features/kit/example'

export function Section() {
  return (
    <>
      <Example title="Facts">
        <Badge>Plain</Badge>
        <Badge tone="gold" icon="crown">
          Prestige
        </Badge>
        <Badge tone="accent" icon="sparkles">
          New
        </Badge>
        <Badge tone="online">Online</Badge>
        <Badge tone="danger" icon="warning">
          Hidden
        </Badge>
      </Example>
      <Example title="Status">
        <StatusBadge status="good">Paid</StatusBadge>
        <StatusBadge status="waiting">Waiting</StatusBadge>
        <StatusBadge status="bad">Refused</StatusBadge>
        <StatusBadge status="off">Closed</StatusBadge>
      </Example>
      <Example title="Tags">
        <TagChip color="#3ddc97">Survival</TagChip>
        <TagChip>Without a colour</TagChip>
      </Example>
    </>
  )
}
