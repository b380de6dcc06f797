import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { MonthlyCountdown } from '@/components/layout/monthly-countdown'
import { ButtonLink } from '@/components/ui/button'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { Icon } from '@/components/ui/icon'
import { Picture } from '@/components/ui/picture'
import { config } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { useIntervalText } from '@/lib/i18n/use-interval-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import type { SiteStats } from '../api/site-stats'
import styles from './hero.module.css'
import { Figures, SiteFigures } from './site-figures'

interface HeroProps {
  /**
   * The shown game with its figures; null for all. Figures are undefined while loading, null after
   * a failure.
   */
  game: { name: string; logo_url: string | null; figures: SiteStats | null | undefined } | null
  search: ReactNode
  /** Whether the figures may be queried already. */
  ready: boolean
}

/**
 * The top of the home page: what the site is, the search, its figures, and the countdown to the end
 * of the month.
 */
export function Hero({ game, search, ready }: HeroProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const every = useIntervalText(config.voteCooldownSeconds)
  return (
    <div className={styles.hero}>
      {game && (
        <Link to={paths.home(language)} className={styles.back}>
          <Icon name="arrow-left" size={16} />
          {t('hero.allGames')}
        </Link>
      )}
      <h1 className={styles.title}>
        <Picture src={game?.logo_url} width={56} height={56} className={styles.logo} />
        {game ? t('hero.gameTitle', { game: game.name }) : t('hero.title')}
      </h1>
      <p className={styles.lead}>{game ? t('hero.gameLead', { game: game.name, every }) : t('hero.lead', { every })}</p>
      <div className={styles.actions}>
        {search}
        <ButtonLink to={paths.addServer(language)} size="large" icon="plus" className={styles.add}>
          {t('hero.addServer')}
        </ButtonLink>
      </div>
      <div className={styles.line}>
        <SectionBoundary>
          {game === null && <SiteFigures ready={ready} />}
          {game && game.figures !== null && <Figures label={t('stats.gameLabel')} figures={game.figures} />}
        </SectionBoundary>
        <span className={styles.inWords}>
          <MonthlyCountdown variant="line" />
        </span>
        <span className={styles.short}>
          <MonthlyCountdown variant="mini" />
        </span>
      </div>
    </div>
  )
}
