import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Figure } from '@/components/ui/figure'
import { LiveDot } from '@/components/ui/live-dot'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import { siteStatsQuery } from '../api/site-stats'
import styles from './site-figures.module.css'

const FIGURES = [
  ['servers', 'servers'],
  ['players', 'players_online'],
  ['month', 'votes_this_month'],
  ['total', 'votes_total'],
] as const

/** Four figures. When they cannot be had the page does without them. */
export function SiteFigures({ ready }: { ready: boolean }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const stats = useQuery({ ...siteStatsQuery(), enabled: ready })
  if (!stats.data && stats.failureCount > 0) return null
  return (
    <dl className={styles.figures} aria-label={t('stats.label')} aria-busy={stats.isPending}>
      {FIGURES.map(([key, field]) => {
        const value = stats.data?.[field]
        return (
          <div key={key} className={styles.figure}>
            <dt>{t(`stats.${key}`, { count: value ?? 0 })}</dt>
            <dd>
              {key === 'players' && <LiveDot online />}
              {value === undefined ? (
                <Skeleton width="4rem" height="1.625rem" />
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
