import { useMemo } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { RetryButton } from '@/components/ui/retry-button'
import { Skeleton } from '@/components/ui/skeleton'
import { Picture } from '@/components/ui/picture'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatNumber } from '@/lib/i18n/format'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Game } from '@/entities/game/queries'
import { byServers } from '../model/figures'
import styles from './game-list.module.css'

export interface GameListProps {
  /** Undefined while loading, null after a failure. */
  games: Game[] | null | undefined
  /** Slugs of the chosen games; empty for all, null to mark none. */
  chosen: readonly string[] | null
  onRetry: () => void
  /** The link of a game, from its page's path; it keeps parameters of the current address. */
  addressOf?: (path: string) => string
  /** A scrolling row on phones, or a column everywhere. */
  layout?: 'row' | 'column'
  onChosen?: () => void
}

/** Links to every game, those with the most servers first. */
export function GameList({ games, chosen, onRetry, addressOf = same, layout = 'row', onChosen }: GameListProps) {
  const { t } = useTranslation('games')
  const language = useLanguage()
  const ordered = useMemo(() => games && byServers(games, language), [games, language])
  return (
    <nav className={classes(styles.games, styles[layout])} aria-label={t('label')}>
      <h2 className={styles.title}>{t('title')}</h2>
      <ul className={styles.list}>
        <li>
          <GameLink
            to={addressOf(paths.home(language))}
            active={chosen?.length === 0}
            name={t('all')}
            logo={null}
            onChosen={onChosen}
          />
        </li>
        {ordered?.map((game) => (
          <li key={game.id}>
            <GameLink
              to={addressOf(paths.gameOf(language, game))}
              active={chosen?.includes(game.slug) ?? false}
              name={game.name}
              logo={game.logo_url}
              servers={game.game_figures?.servers}
              onChosen={onChosen}
            />
          </li>
        ))}
        {games === undefined && <LoadingGames />}
      </ul>
      {games === null && (
        <p className={styles.failed}>
          {t('failed')}
          <RetryButton size="small" onClick={onRetry} />
        </p>
      )}
    </nav>
  )
}

const same = (path: string) => path

interface GameLinkProps {
  to: string
  active: boolean
  name: string
  logo: string | null
  /** Undefined where the number is unknown. */
  servers?: number | undefined
  onChosen: (() => void) | undefined
}

function GameLink({ to, active, name, logo, servers, onChosen }: GameLinkProps) {
  const { t } = useTranslation('games')
  const language = useLanguage()
  // Screen readers read the name and the figure as one sentence.
  const isCounted = servers !== undefined
  return (
    <Link
      to={to}
      onClick={onChosen}
      className={classes(styles.game, active && styles.active)}
      aria-current={active ? 'page' : undefined}
    >
      <Picture
        src={logo}
        width={24}
        height={24}
        lazy
        className={styles.logo}
        fallback={<Icon name="games" size={24} />}
      />
      <span className={styles.name} aria-hidden={isCounted}>
        {name}
      </span>
      {isCounted && (
        <span className={styles.count}>
          <span aria-hidden="true">{formatNumber(servers, language)}</span>
          <VisuallyHidden>
            {t('servers', { count: servers, game: name, formatted: formatNumber(servers, language) })}
          </VisuallyHidden>
        </span>
      )}
    </Link>
  )
}

function LoadingGames() {
  return Array.from({ length: 10 }, (_, index) => (
    <li key={index} className={styles.game}>
      <Skeleton width="1.5rem" height="1.5rem" />
      <Skeleton width={`${5 + (index % 3) * 1.5}rem`} height="0.875rem" />
    </li>
  ))
}
