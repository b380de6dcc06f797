/** The servers that were voted for from this browser, with their countdowns, and the last game. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from '@/components/ui/link'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Picture } from '@/components/ui/picture'
import { Skeleton } from '@/components/ui/skeleton'
import { useNowPast } from '@/components/ui/use-now-past'
import { readLastGame } from '@/entities/game/last-game'
import type { VoteTarget } from '@/entities/vote/dialog'
import { startVoteRound } from '@/entities/vote/round'
import { nextVotes } from '@/entities/vote/state'
import { votedServers, votedServersQuery } from '@/entities/vote/voted-servers'
import { useStore } from '@/lib/browser/store'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { VoteChip } from './components/vote-chip'
import { useTabTitle } from './model/use-tab-title'
import styles from './vote-shelf.module.css'

interface ShelfGame {
  slug: string
  page_slug: string
  name: string
  logo_url: string | null
}

/** `games` are all games, if they are to be offered; undefined while loading. */
export function VoteShelf({ games }: { games: readonly ShelfGame[] | undefined }) {
  const { t } = useTranslation('vote-again')
  const ids = useStore(votedServers)
  const dueTimes = useStore(nextVotes)
  const { data } = useQuery(votedServersQuery(ids))
  const servers = useMemo(() => ids.flatMap((id) => data?.find((server) => server.id === id) ?? []), [ids, data])
  const nextOf = ({ id }: VoteTarget): number => dueTimes[id] ?? 0
  const now = useNowPast(servers.map(nextOf))
  const ready = servers.filter((server) => nextOf(server) <= now)
  const waiting = servers.filter((server) => nextOf(server) > now).toSorted((a, b) => nextOf(a) - nextOf(b))
  useTabTitle(data && ready, (server) => t('ready', { name: decodeStored(server.name) }))
  const game = games?.find(({ slug }) => slug === readLastGame())
  if (ids.length > 0 && data === undefined) return <Skeleton height="3rem" radius="var(--radius-md)" />
  if (servers.length === 0 && game === undefined) return null
  return (
    <section className={styles.shelf} aria-labelledby="vote-shelf-title">
      <h2 id="vote-shelf-title" className={styles.title}>
        {t('title')}
      </h2>
      <ul className={styles.row}>
        {ready.length > 1 && (
          <li>
            <Button icon="arrow-up" onClick={() => startVoteRound(ready)}>
              {t('round', { count: ready.length })}
            </Button>
          </li>
        )}
        {[...ready, ...waiting].map((server) => (
          <li key={server.id}>
            <VoteChip server={server} />
          </li>
        ))}
        {game && (
          <li>
            <GameChip game={game} />
          </li>
        )}
      </ul>
    </section>
  )
}

function GameChip({ game }: { game: ShelfGame }) {
  const { t } = useTranslation('vote-again')
  const language = useLanguage()
  return (
    <Link to={paths.gameOf(language, game)} className={styles.game}>
      <Picture src={game.logo_url} width={24} height={24} fallback={<Icon name="games" size={20} />} />
      {t('game', { game: game.name })}
    </Link>
  )
}
