import { useRef } from 'react'
import { Link } from 'react-router'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/button'
import { formatNumber } from '@/lib/format'
import { useTranslation } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'
import type { ListedServer } from '../api/servers'
import type { Tag } from '../api/tags'
import { placeOf } from '../model/place'
import type { ServerEvent } from '../model/server-events'
import { ServerCard } from './server-card'
import styles from './promoted-strip.module.css'

interface PromotedStripProps {
  servers: ListedServer[]
  inGame: boolean
  tags: Tag[] | undefined
  events: ReadonlyMap<string, ServerEvent[]>
  stale: boolean
}

/** The promoted servers of a page, in a row to swipe: named as what they are, and out of the ranking's way. */
export function PromotedStrip({ servers, inGame, tags, events, stale }: PromotedStripProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const row = useRef<HTMLOListElement>(null)
  const turn = (way: 1 | -1) => row.current?.scrollBy({ left: way * row.current.clientWidth * 0.9, behavior: 'smooth' })
  return (
    <section className={styles.strip} aria-labelledby="promoted-title">
      <div className={styles.head}>
        <h3 id="promoted-title" className={styles.title}>
          <Icon name="crown" size={18} />
          <Link to={paths.howRanking(language)}>{t('promoted.title')}</Link>
        </h3>
        <span className={styles.count}>
          {t('count', { count: servers.length, formatted: formatNumber(servers.length, language) })}
        </span>
        {servers.length > 1 && (
          <span className={styles.turn}>
            <IconButton icon="chevron-left" size="small" label={t('promoted.previous')} onClick={() => turn(-1)} />
            <IconButton icon="chevron-right" size="small" label={t('promoted.next')} onClick={() => turn(1)} />
          </span>
        )}
      </div>
      <ol ref={row} className={styles.row} data-stale={stale || undefined} aria-labelledby="promoted-title">
        {servers.map((server) => (
          <li key={server.id} id={`server-${server.id}`}>
            <ServerCard
              compact
              server={server}
              {...placeOf(server, inGame)}
              medals
              tags={tags}
              events={events.get(server.id)}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}
