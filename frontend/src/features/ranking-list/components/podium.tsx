import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { QueryStates } from '@/components/query/query-states'
import { Medal } from '@/components/ui/medal'
import { ServerLogo } from '@/components/ui/server-logo'
import { Skeleton } from '@/components/ui/skeleton'
import { classes } from '@/components/ui/classes'
import { formatNumber } from '@/lib/format'
import { useTranslation } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { decodeStored } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import { podiumQuery } from '../api/list'
import type { ListedServer } from '../api/servers'
import styles from './podium.module.css'

interface PodiumProps {
  /** The first three; null when they are to be asked for. */
  servers: ListedServer[] | null
  games: readonly string[]
  className?: string | undefined
}

/** The first three of the ranking, promoted or not, side by side. */
export function Podium({ servers, games, className }: PodiumProps) {
  const { t } = useTranslation('ranking-list')
  const asked = useQuery({ ...podiumQuery(games), enabled: servers === null })
  const inRow = (places: ReactNode): ReactNode => (
    <ol className={classes(styles.podium, className)} aria-label={t('podium')}>
      {places}
    </ol>
  )
  return (
    <QueryStates
      query={servers === null ? asked : { ...asked, data: servers, isPending: false }}
      loading={inRow(
        [1, 2, 3].map((place) => (
          <li key={place}>
            <Skeleton height="100%" radius="var(--radius-md)" />
          </li>
        )),
      )}
      failed={() => null}
    >
      {(first) =>
        inRow(
          first.map((server) => (
            <li key={server.id}>
              <Place server={server} place={games.length === 1 ? server.game_rank : server.rank} />
            </li>
          )),
        )
      }
    </QueryStates>
  )
}

function Place({ server, place }: { server: ListedServer; place: number }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const name = decodeStored(server.name)
  return (
    <Link to={paths.server(language, server)} className={styles.place}>
      <Medal place={place} label={t('card.rank', { rank: formatNumber(place, language) })} />
      <span className={styles.logo}>
        <ServerLogo src={server.logo_image_url} name={name} size={28} />
      </span>
      <span className={styles.text}>
        <span className={styles.name}>{name}</span>
        <span className={styles.votes}>
          {t('votes', { count: server.monthly_votes, formatted: formatNumber(server.monthly_votes, language) })}
        </span>
      </span>
    </Link>
  )
}
