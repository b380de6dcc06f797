import { Link } from '@/components/ui/link'
import { Badge } from '@/components/ui/badge'
import { IconButton } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { LiveDot } from '@/components/ui/live-dot'
import { ServerLogo } from '@/components/ui/server-logo'
import { useNow } from '@/components/ui/use-now'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { VoteButton } from '@/components/vote/vote-button'
import type { ServerEvent } from '@/entities/event/queries'
import { formatDay, formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { localizedText } from '@/lib/i18n/localized-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { voteTargetOf, type FavoriteServer } from '../api/servers'
import type { Change } from '../model/visit'
import styles from './favorite-card.module.css'

type ShownEvent = ServerEvent & { isNew: boolean }

interface FavoriteCardProps {
  server: FavoriteServer
  change: Change | null
  events: readonly ShownEvent[]
  isFavorite: boolean
  onToggle: () => void
}

/** The server's own page has the others. */
const MOST_EVENTS = 2

export function FavoriteCard({ server, change, events, isFavorite, onToggle }: FavoriteCardProps) {
  const { t } = useTranslation('favorites')
  const language = useLanguage()
  const name = decodeStored(server.name)
  return (
    <article className={classes(styles.card, !isFavorite && styles.removed)}>
      <div className={styles.head}>
        <ServerLogo src={server.logo_image_url} name={name} size={56} />
        <div className={styles.words}>
          <h2 className={styles.name}>
            <Link to={paths.server(language, server)}>{name}</Link>
          </h2>
          <p className={styles.facts}>
            {server.games && <span>{server.games.name}</span>}
            <Players server={server} />
          </p>
        </div>
        <IconButton
          icon="heart"
          filled={isFavorite}
          aria-pressed={isFavorite}
          className={isFavorite ? styles.chosen : undefined}
          label={t('card.favorite', { name })}
          onClick={onToggle}
        />
      </div>
      <dl className={styles.figures}>
        <div>
          <dt>{t('card.place')}</dt>
          <dd>
            <strong>{t('card.rank', { rank: formatNumber(server.game_rank, language) })}</strong>
            {change !== null && change.places !== 0 && <Movement places={change.places} />}
          </dd>
        </div>
        <div>
          <dt>{t('card.votes')}</dt>
          <dd>
            <strong>{formatNumber(server.monthly_votes, language)}</strong>
            {change !== null && change.votes > 0 && (
              <span className={styles.more}>+{formatNumber(change.votes, language)}</span>
            )}
          </dd>
        </div>
      </dl>
      {events.length > 0 && (
        <ul className={styles.events}>
          {events.slice(0, MOST_EVENTS).map((event) => (
            <Event key={event.id} event={event} />
          ))}
        </ul>
      )}
      <div className={styles.action}>
        <VoteButton target={voteTargetOf(server)} name={name} variant="tinted" />
      </div>
    </article>
  )
}

/** Shown only for servers whose status has been checked. */
function Players({ server }: { server: FavoriteServer }) {
  const { t } = useTranslation('favorites')
  const language = useLanguage()
  if (server.status_checked_at === null) return null
  return (
    <span className={styles.players}>
      <LiveDot online={server.is_online} />
      {server.is_online && server.max_players > 0
        ? t('card.players', { count: server.online_players, formatted: formatNumber(server.online_players, language) })
        : t(server.is_online ? 'card.online' : 'card.offline')}
    </span>
  )
}

/** Places gained or lost since the last visit. */
function Movement({ places }: { places: number }) {
  const { t } = useTranslation('favorites')
  const count = Math.abs(places)
  return (
    <span className={places > 0 ? styles.up : styles.down}>
      <Icon name={places > 0 ? 'arrow-up' : 'arrow-down'} size={14} />
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{t(places > 0 ? 'card.gained' : 'card.lost', { count })}</VisuallyHidden>
    </span>
  )
}

function Event({ event }: { event: ShownEvent }) {
  const { t } = useTranslation('favorites')
  const language = useLanguage()
  const now = useNow(60_000)
  const isLive = Date.parse(event.start_date) <= now
  return (
    <li className={styles.event}>
      <Icon name="calendar" size={16} />
      <span className={styles.title}>{decodeStored(localizedText(event, 'title', language))}</span>
      <span className={styles.when}>
        {isLive
          ? t('event.until', { date: formatDay(event.end_date, language) })
          : t('event.from', { date: formatDay(event.start_date, language) })}
      </span>
      {event.isNew && <Badge tone="accent">{t('event.new')}</Badge>}
    </li>
  )
}
