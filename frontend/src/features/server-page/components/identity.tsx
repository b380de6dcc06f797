import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { Badge } from '@/components/ui/badge'
import { IconButton } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { LiveDot } from '@/components/ui/live-dot'
import { Medal } from '@/components/ui/medal'
import { ServerLogo } from '@/components/ui/server-logo'
import { showToast } from '@/components/ui/toast-store'
import { Picture } from '@/components/ui/picture'
import { useFavorites } from '@/entities/server/favorites'
import { formatNumber, formatRating } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { paths } from '@/lib/routing/paths'
import { useAskToReport } from '@/entities/report/dialog'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ServerDetail } from '../api/server'
import { steamStatusQuery } from '../api/steam-status'
import { Stars } from './stars'
import styles from './identity.module.css'

interface ServerProps {
  server: ServerDetail
  name: string
}

/** The head of the page: logo, name, place, game, players, rating, and actions. */
export function Identity({ server, name }: ServerProps) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const over = server.is_prestige && server.banner_image_url !== null
  return (
    <header className={classes(styles.identity, over && styles.overBanner)}>
      <span className={styles.logo}>
        <ServerLogo src={server.logo_image_url} name={name} size={112} />
        {server.hidden === null && (
          <span className={styles.medal}>
            <Medal
              place={server.game_rank}
              label={t('identity.rank', { rank: formatNumber(server.game_rank, language), game: server.games.name })}
            />
          </span>
        )}
      </span>
      <div className={styles.words}>
        <h1 className={styles.name}>{name}</h1>
        <div className={styles.facts}>
          {server.is_prestige && (
            <Badge tone="gold" icon="crown">
              {t('identity.prestige')}
            </Badge>
          )}
          <Link to={paths.gameOf(language, server.games)} className={styles.game}>
            <Picture src={server.games.logo_url} width={20} height={20} />
            {server.games.name}
          </Link>
          <Players server={server} />
          {server.hidden === null && <Rating server={server} />}
        </div>
      </div>
      {server.hidden === null && <Actions server={server} name={name} />}
    </header>
  )
}

function Players({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const { data: steam } = useQuery(steamStatusQuery(server))
  const state = steam ?? server
  const checked = server.status_checked_at
  const hint = checked ? t('identity.checked', { when: formatRelative(checked, language) }) : undefined
  if (!state.is_online && !steam && checked === null)
    return <span className={styles.fact}>{t('identity.unknown')}</span>
  const online = formatNumber(state.online_players, language)
  return (
    <span className={styles.fact} data-tooltip={hint}>
      <LiveDot online={state.is_online} />
      <span>{t(state.is_online ? 'identity.online' : 'identity.offline')}</span>
      {state.is_online && state.max_players > 0 && (
        <span className={styles.players}>
          {t('identity.players', { online, max: formatNumber(state.max_players, language) })}
        </span>
      )}
    </span>
  )
}

function Rating({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  if (server.rating_average === null) return null
  const count = server.review_count
  return (
    <a href="#reviews" className={styles.fact}>
      <Stars
        value={server.rating_average}
        label={t('reviews.average', { rating: formatRating(server.rating_average, language) })}
      />
      <span className={styles.link}>{t('reviews.count', { count, formatted: formatNumber(count, language) })}</span>
    </a>
  )
}

function Actions({ server, name }: ServerProps) {
  const { t } = useTranslation('server-page')
  const { status } = useSession()
  const askToReport = useAskToReport()
  const favorites = useFavorites()
  const isFavorite = favorites.has(server.id)

  function toggle(): void {
    try {
      favorites.toggle(server.id)
    } catch {
      showToast({ tone: 'danger', title: t('actions.favoriteFailed') })
    }
  }

  return (
    <div className={styles.actions}>
      {status === 'in' && (
        <IconButton
          icon="heart"
          filled={isFavorite}
          variant="secondary"
          label={t('actions.favorite')}
          aria-pressed={isFavorite}
          className={isFavorite ? styles.loved : undefined}
          onClick={toggle}
        />
      )}
      <IconButton
        icon="flag"
        variant="secondary"
        label={t('actions.report')}
        onClick={() => askToReport({ kind: 'server', id: server.id, name })}
      />
    </div>
  )
}
