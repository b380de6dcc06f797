import { useMemo } from 'react'
import { Button } from '@/components/ui/button'
import { useNowPast } from '@/components/ui/use-now-past'
import { useTranslation } from '@/lib/i18n/i18n'
import { useStore } from '@/lib/browser/store'
import { startVoteRound } from '@/entities/vote/round'
import { nextVotes } from '@/entities/vote/state'
import { voteTargetOf, type FavoriteServer } from '../api/servers'

/** A button that starts a round of all votes that are possible now. */
export function ReadyVotes({ servers }: { servers: readonly FavoriteServer[] }) {
  const { t } = useTranslation('favorites')
  const dueTimes = useStore(nextVotes)
  const now = useNowPast(useMemo(() => servers.map(({ id }) => dueTimes[id] ?? 0), [servers, dueTimes]))
  const ready = servers.filter(({ id }) => (dueTimes[id] ?? 0) <= now)
  if (ready.length === 0) return null
  return (
    <Button variant="primary" icon="arrow-up" onClick={() => startVoteRound(ready.map(voteTargetOf))}>
      {t('round', { count: ready.length })}
    </Button>
  )
}
