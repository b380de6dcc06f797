import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { useNow } from '@/components/ui/use-now'
import { formatClock } from '@/lib/format'
import { openVoteDialog } from '@/lib/vote-dialog'
import { useNextVote } from '@/lib/vote-state'
import type { ServerDetail } from '../api/server'
import { voteTargetOf } from '../model/vote-target'

/** How often to look at the clock while there is nothing to count down. */
const IDLE = 3_600_000

/** Opens the vote dialog; while a vote is fresh it tells when the next one is possible. */
export function VoteAction({ server, name }: { server: ServerDetail; name: string }) {
  const { t } = useTranslation('server-page')
  const next = useNextVote(server.id)
  const now = useNow(next === null ? IDLE : undefined)
  const seconds = next === null ? 0 : (next - now) / 1000
  const waiting = seconds > 0
  return (
    <Button
      look={waiting ? 'secondary' : 'primary'}
      size="large"
      icon={waiting ? 'clock' : 'arrow-up'}
      wide
      onClick={() => openVoteDialog(voteTargetOf(server))}
      aria-label={waiting ? undefined : t('vote.for', { name })}
    >
      {waiting ? t('vote.next', { clock: formatClock(seconds) }) : t('vote.label')}
    </Button>
  )
}
