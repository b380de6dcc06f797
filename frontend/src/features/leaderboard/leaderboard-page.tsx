/** The ranking of voters: today, this week, this month. */
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { PageHeader } from '@/components/ui/page-header'
import { TabLinks } from '@/components/ui/tab-links'
import { useTranslation } from '@/lib/i18n/i18n'
import { ownPlaceQuery } from '@/entities/vote/own-place'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { Leaders } from './components/leaders'
import { YourPlace } from './components/your-place'
import { PERIODS, periodOf } from './model/period'
import styles from './leaderboard-page.module.css'

export function LeaderboardPage() {
  const { t } = useTranslation('leaderboard')
  const language = useLanguage()
  const period = periodOf(useSearchParams()[0])
  const { user } = useSession()
  const place = useQuery({ ...ownPlaceQuery(user?.id ?? '', period), enabled: user !== null })
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} description={t('lead')} />
      <TabLinks
        label={t('periods')}
        tabs={PERIODS.map((one) => ({
          to: one === 'month' ? paths.leaderboard(language) : `${paths.leaderboard(language)}?period=${one}`,
          label: t(`tab.${one}`),
          open: one === period,
        }))}
      />
      <div className={styles.columns}>
        <div className={styles.side}>
          <SectionBoundary>
            <YourPlace period={period} place={place} />
          </SectionBoundary>
        </div>
        <Leaders key={period} period={period} ownPlace={user === null ? null : (place.data ?? null)} />
      </div>
    </div>
  )
}
