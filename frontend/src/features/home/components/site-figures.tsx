import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Figure } from '@/components/ui/figure'
import { LiveDot } from '@/components/ui/live-dot'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { siteStatsQuery, type SiteStats } from '../api/site-stats'
import styles from './site-figures.module.css'

const FIGURES = [
  ['servers', 'servers'],
  ['players', 'players_online'],
  ['month', 'votes_this_month'],
  ['total', 'votes_total'],
] as const

/** Four figures of the whole site. If they cannot be read, the page omits them. */
export function SiteFigures({ ready }: { ready: boolean }) {
  const { t } = useTranslation('home')
  const stats = useQuery({ ...siteStatsQuery(), enabled: ready })
  if (!stats.data && stats.failureCount > 0) return null
  return <Figures label={t('stats.label')} figures={stats.data} />
}

interface FiguresProps {
  label: string
  /** Undefined while loading. */
  figures: SiteStats | undefined
}

export function Figures({ label, figures }: FiguresProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  return (
    <dl className={styles.figures} aria-label={label} aria-busy={figures === undefined}>
      {FIGURES.map(([key, field]) => {
        const value = figures?.[field]
        return (
          <div key={key} className={styles.figure}>
            <dt>{t(`stats.${key}`, { count: value ?? 0 })}</dt>
            <dd>
              {key === 'players' && <LiveDot online />}
              {value === undefined ? (
                <Skeleton width="3rem" height="1rem" />
              ) : (
                <Figure value={formatNumber(value, language)} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
