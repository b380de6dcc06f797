import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { serverEventsQuery, type ServerEvent } from '@/entities/event/queries'
import { tagsQuery } from '@/entities/tag/queries'
import { useTranslation } from '@/lib/i18n/i18n'
import { podiumQuery } from '../api/list'
import type { ListedServer, ServerPage } from '../api/servers'
import { isFiltered, type ListState } from '../model/list-state'
import { without, type Parts } from '../model/parts'
import { placeOf } from '../model/place'
import { PromotedRow } from './promoted-row'
import styles from './ranking-list.module.css'
import { ServerCard } from './server-card'

interface ListPartsProps {
  page: ServerPage
  /** Set if promoted servers come first; other lists are drawn in one part. */
  parts: Parts<ListedServer> | null
  games: readonly string[]
  state: ListState
  stale: boolean
  /** Shown below the third card. */
  besides: ReactNode
}

/** The number of cards before `besides`. */
const BEFORE = 3

/** The cards of a page: a row of promoted servers, the first three, `besides`, and the others. */
export function ListParts({ page, parts, games, state, stale, besides }: ListPartsProps) {
  const { t } = useTranslation('ranking-list')
  const inGame = games.length === 1
  // The first three of all servers in the list, not of the filtered ones.
  const hasFirst = parts !== null && page.page === 1 && !isFiltered(state)
  const podium = useQuery({ ...podiumQuery(games), enabled: hasFirst && parts.first === null })
  const first = hasFirst ? (parts.first ?? podium.data ?? []) : []
  const remaining = parts ? without([...(parts.first ?? []), ...parts.ranked], first) : page.rows
  const events = useEvents([...first, ...remaining], stale)
  // Deferred, because tags and events render many cards anew, which happens in slices so that the
  // page stays responsive.
  const tags = useDeferredValue(useQuery(tagsQuery()).data)
  const card = (row: ListedServer, winner: boolean) => (
    <li key={row.id}>
      <ServerCard
        server={row}
        {...placeOf(row, inGame)}
        medals={state.sort !== 'competitive'}
        winner={winner}
        tags={tags}
        events={events.get(row.id)}
      />
    </li>
  )
  const before = first.length > 0 ? [] : remaining.slice(0, BEFORE)
  const behind = remaining.slice(before.length)
  return (
    <>
      {parts && page.page === 1 && (
        <SectionBoundary>
          <PromotedRow servers={without(parts.promoted, first)} state={state} stale={stale} />
        </SectionBoundary>
      )}
      <div className={styles.part} data-part="ranking" data-stale={stale || undefined}>
        {first.length > 0 && (
          <ol className={styles.first} aria-label={t('podium')} data-stale={stale || undefined}>
            {first.map((row) => card(row, true))}
          </ol>
        )}
        {before.length > 0 && (
          <ol className={styles.cards} data-stale={stale || undefined}>
            {before.map((row) => card(row, false))}
          </ol>
        )}
        {besides}
        {remaining.length === 0 && first.length === 0 && (
          <p className={styles.more}>
            <Link to="?prestige=regular-only">{t('promoted.only')}</Link>
          </p>
        )}
        {behind.length > 0 && (
          <ol className={styles.cards} data-stale={stale || undefined}>
            {behind.map((row) => card(row, false))}
          </ol>
        )}
      </div>
    </>
  )
}

/** The events of the promoted servers among these, by server. */
function useEvents(servers: readonly ListedServer[], stale: boolean): ReadonlyMap<string, ServerEvent[]> {
  const promoted = servers.filter((row) => row.is_prestige).map((row) => row.id)
  const events = useQuery({ ...serverEventsQuery(promoted), enabled: promoted.length > 0 && !stale })
  const deferredEvents = useDeferredValue(events.data)
  return useMemo(() => groupByServer(deferredEvents ?? []), [deferredEvents])
}

function groupByServer(events: ServerEvent[]): Map<string, ServerEvent[]> {
  const groups = new Map<string, ServerEvent[]>()
  for (const event of events) groups.set(event.server_id, [...(groups.get(event.server_id) ?? []), event])
  return groups
}
