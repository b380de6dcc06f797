import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { Icon } from '@/components/ui/icon'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { useTranslation } from '@/lib/i18n'
import { serverEventsQuery } from '../api/server-events'
import type { ListedServer, ServerPage } from '../api/servers'
import { tagsQuery } from '../api/tags'
import type { Parts } from '../model/parts'
import { placeOf } from '../model/place'
import type { ServerEvent } from '../model/server-events'
import { Podium } from './podium'
import { PromotedStrip } from './promoted-strip'
import { RankedLine } from './ranked-line'
import { ServerCard } from './server-card'
import styles from './ranking-list.module.css'

interface ListPartsProps {
  page: ServerPage
  /** Set where promoted servers come first; a list of one kind is drawn as it comes. */
  parts: Parts<ListedServer> | null
  games: readonly string[]
  competitive: boolean
  stale: boolean
}

/** The cards of a page: what is paid for in a strip of its own, then the ranking. */
export function ListParts({ page, parts, games, competitive, stale }: ListPartsProps) {
  const { t } = useTranslation('ranking-list')
  const inGame = games.length === 1
  const promoted = useMemo(() => page.rows.filter((row) => row.is_prestige).map((row) => row.id), [page.rows])
  const events = useQuery({ ...serverEventsQuery(promoted), enabled: promoted.length > 0 && !stale })
  const byServer = useMemo(() => groupByServer(events.data ?? []), [events.data])
  const tags = useQuery(tagsQuery()).data
  const ranked = parts?.ranked ?? page.rows.map((row) => ({ row, line: false }))
  return (
    <>
      {parts && parts.promoted.length > 0 && (
        <PromotedStrip servers={parts.promoted} inGame={inGame} tags={tags} events={byServer} stale={stale} />
      )}
      <div className={styles.part} data-part="ranking">
        {parts && parts.promoted.length > 0 && (
          <h3 className={styles.partTitle}>
            <Icon name="trophy" size={18} />
            {t('ranked')}
          </h3>
        )}
        <SectionBoundary>
          {parts && page.page === 1 && <Podium servers={parts.podium} games={games} className={styles.narrow} />}
        </SectionBoundary>
        {ranked.length === 0 && (
          <p className={styles.more}>
            <Link to="?prestige=regular-only">{t('promoted.only')}</Link>
          </p>
        )}
        <ol className={styles.cards} data-stale={stale || undefined}>
          {ranked.map(({ row, line }) => (
            <li key={row.id}>
              {line ? (
                <RankedLine server={row} {...placeOf(row, inGame)} />
              ) : (
                <ServerCard
                  server={row}
                  {...placeOf(row, inGame)}
                  medals={!competitive}
                  tags={tags}
                  events={byServer.get(row.id)}
                />
              )}
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}

function groupByServer(events: ServerEvent[]): Map<string, ServerEvent[]> {
  const groups = new Map<string, ServerEvent[]>()
  for (const event of events) groups.set(event.server_id, [...(groups.get(event.server_id) ?? []), event])
  return groups
}
