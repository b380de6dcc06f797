/** The favorite servers in this browser, and what has changed since the last visit. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { FailedState } from '@/components/ui/failed-state'
import { PageHeader } from '@/components/ui/page-header'
import { StateMessage } from '@/components/ui/state-message'
import { serverEventsQuery } from '@/entities/event/queries'
import { useFavorites } from '@/entities/server/favorites'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { favoriteServersQuery, type FavoriteServer } from './api/servers'
import { FavoriteCard } from './components/favorite-card'
import { LoadingFavorites } from './components/loading-favorites'
import { ReadyVotes } from './components/ready-votes'
import { Summary } from './components/summary'
import styles from './favorites-page.module.css'
import { changeOf, isNews, lastBefore, visitsOf } from './model/visit'

export function FavoritesPage() {
  const { t } = useTranslation('favorites')
  const { user } = useSession()
  if (user === null) return null
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} description={t('lead')} />
      <Favorites key={user.id} userId={user.id} />
    </div>
  )
}

function Favorites({ userId }: { userId: string }) {
  const { t } = useTranslation('favorites')
  const favorites = useFavorites()
  // A removed favorite stays in its place until the page is left, so that it can be added again.
  const [first] = useState(favorites.ids)
  const ids = useMemo(
    () => [...favorites.ids.filter((id) => !first.includes(id)), ...first].toReversed(),
    [first, favorites.ids],
  )
  const servers = useQuery({ ...favoriteServersQuery(ids), enabled: ids.length > 0 })
  if (ids.length === 0) return <Empty />
  return (
    <QueryStates
      query={servers}
      loading={<LoadingFavorites count={ids.length} label={t('loading')} />}
      failed={(retry) => (
        <FailedState
          heading="h2"

          title={t('failed.title')}
          onRetry={retry}
        >
          {t('failed.text')}
        </FailedState>
      )}
      empty={<Empty />}
    >
      {(rows) => <Cards servers={rows} missing={ids.length - rows.length} userId={userId} />}
    </QueryStates>
  )
}

interface CardsProps {
  servers: FavoriteServer[]
  /** How many favorites are not public any more. */
  missing: number
  userId: string
}

function Cards({ servers, missing, userId }: CardsProps) {
  const { t } = useTranslation('favorites')
  const favorites = useFavorites()
  const last = useLastVisit(userId, servers)
  const ids = useMemo(() => servers.map(({ id }) => id), [servers])
  const events = useQuery(serverEventsQuery(ids))
  const cards = servers.map((server) => {
    const change = changeOf(last, server.id, { place: server.game_rank, votes: server.monthly_votes })
    const serverEvents = (events.data ?? []).filter((event) => event.server_id === server.id)
    const announced = serverEvents.map((event) => ({ ...event, isNew: isNews(last, event.created_at) }))
    const news = Number(change !== null && change.places !== 0) + announced.filter(({ isNew }) => isNew).length
    return { server, change, events: announced, news }
  })
  return (
    <>
      <div className={styles.bar}>
        <Summary since={last?.at ?? null} cards={cards} />
        <ReadyVotes servers={servers} />
      </div>
      <ul className={styles.cards}>
        {cards
          .toSorted((a, b) => Number(b.news > 0) - Number(a.news > 0))
          .map(({ server, change, events: upcoming }) => (
            <li key={server.id}>
              <FavoriteCard
                server={server}
                change={change}
                events={upcoming}
                isFavorite={favorites.has(server.id)}
                onToggle={() => favorites.toggle(server.id)}
              />
            </li>
          ))}
      </ul>
      {missing > 0 && <p className={styles.missing}>{t('missing', { count: missing })}</p>}
    </>
  )
}

/** The snapshot of the previous visit; the current state is stored for the next one. */
function useLastVisit(userId: string, servers: readonly FavoriteServer[]) {
  const visits = visitsOf(userId)
  const [last] = useState(() => lastBefore(visits.get(), Date.now()))
  useEffect(() => {
    const standings = servers.map(({ id, game_rank: place, monthly_votes: votes }) => [id, { place, votes }] as const)
    visits.set({ last, current: { at: Date.now(), standings: Object.fromEntries(standings) } })
  }, [visits, last, servers])
  return last
}

function Empty() {
  const { t } = useTranslation('favorites')
  const language = useLanguage()
  return (
    <StateMessage
      heading="h2"
      drawing="empty"
      title={t('empty.title')}
      actions={
        <ButtonLink variant="primary" icon="heart" to={paths.home(language)}>
          {t('empty.choose')}
        </ButtonLink>
      }
    >
      {t('empty.text')}
    </StateMessage>
  )
}
