import { Link } from '@/components/ui/link'
import { Icon } from '@/components/ui/icon'
import { ServerLogo } from '@/components/ui/server-logo'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ListedServer } from '../api/servers'
import { changed, writeListState, type ListState } from '../model/list-state'
import { preferLanguage } from '../model/parts'
import styles from './promoted-row.module.css'

interface PromotedRowProps {
  servers: readonly ListedServer[]
  state: ListState
  stale: boolean
}

/** As many as the widest row has; narrower ones hide the last. */
const MOST = 4

/**
 * Promoted servers above the ranking, in the order of the hour: as many as fit into one row, with
 * their label. Their cards are also in the ranking, and a link leads to all of them.
 */
export function PromotedRow({ servers, state, stale }: PromotedRowProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  if (servers.length === 0) return null
  const sortedServers = state.sort === 'default' ? preferLanguage(servers, language) : servers
  return (
    <section className={styles.promoted} aria-labelledby="promoted-title" data-stale={stale || undefined}>
      <h3 id="promoted-title" className={styles.title}>
        <Icon name="crown" size={16} />
        <Link to={paths.howRanking(language)}>{t('card.sponsored')}</Link>
      </h3>
      {servers.length > 1 && (
        <Link to={writeListState(changed(state, { promotion: 'prestige-only' }))} className={styles.all}>
          {t('promoted.all')}
          <Icon name="chevron-right" size={16} />
        </Link>
      )}
      <ul className={styles.row} aria-labelledby="promoted-title">
        {sortedServers.slice(0, MOST).map((server) => (
          <li key={server.id}>
            <Tile server={server} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Tile({ server }: { server: ListedServer }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const name = decodeStored(server.name)
  const online = formatNumber(server.online_players, language)
  return (
    <Link to={paths.server(language, server)} className={styles.tile}>
      <ServerLogo src={server.logo_image_url} name={name} size={40} />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.facts}>
          {/* For screens where the row has no visible heading. */}
          <span className={styles.word} aria-hidden="true">
            {t('card.sponsored')}
          </span>
          <span className={styles.fact}>
            {server.is_online && server.max_players > 0
              ? t('promoted.online', { count: server.online_players, formatted: online })
              : server.games?.name}
          </span>
        </span>
      </span>
    </Link>
  )
}
