import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { useNow } from '@/components/ui/use-now'
import { formatClock } from '@/lib/format'
import { openVoteDialog } from '@/lib/vote-dialog'
import { useNextVote } from '@/lib/vote-state'
import type { ListedServer } from '../api/servers'

/** Opens the vote dialog; after a vote it shows how long the next one has to wait. */
export function VoteButton({ server, name }: { server: ListedServer; name: string }) {
  const { t } = useTranslation('ranking-list')
  const next = useNextVote(server.id)
  const open = () =>
    openVoteDialog({
      id: server.id,
      name: server.name,
      logoUrl: server.logo_image_url,
      monthlyVotes: server.monthly_votes,
      nicknamePattern: server.games.nickname_pattern,
    })
  return (
    <Button
      wide
      look={next === null ? 'primary' : 'secondary'}
      icon={next === null ? 'arrow-up' : 'clock'}
      aria-label={t('card.voteFor', { name })}
      onClick={open}
    >
      {next === null ? t('card.vote') : <Remaining until={next} label={t('card.vote')} />}
    </Button>
  )
}

function Remaining({ until, label }: { until: number; label: string }) {
  const seconds = Math.ceil((until - useNow()) / 1000)
  return seconds > 0 ? formatClock(seconds) : label
}
