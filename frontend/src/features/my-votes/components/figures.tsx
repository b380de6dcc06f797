import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/ui/link'
import { Skeleton } from '@/components/ui/skeleton'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { ownPlaceQuery } from '@/entities/vote/own-place'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { totalQuery } from '../api/total'
import styles from './figures.module.css'

const NOTHING = '–'

/** The number of votes, and the person's places in the ranking of voters. */
export function Figures({ userId }: { userId: string }) {
  const { t } = useTranslation('my-votes')
  const language = useLanguage()
  const total = useQuery(totalQuery(userId))
  const place = useQuery(ownPlaceQuery(userId, 'month'))
  const figure = (value: number | undefined, isPending: boolean) =>
    value === undefined ? isPending ? <Skeleton width="3rem" height="1lh" /> : NOTHING : formatNumber(value, language)
  const { rank, votes_count: votes } = place.data ?? { rank: undefined, votes_count: 0 }
  return (
    <StatTiles>
      <StatTile icon="check" label={t('figures.total')} value={figure(total.data, total.isPending)} />
      <StatTile
        icon="trophy"
        label={t('figures.place')}
        value={rank ? t('figures.rank', { rank: formatNumber(rank, language) }) : figure(undefined, place.isPending)}
        note={
          <Link to={paths.leaderboard(language)} className={styles.link}>
            {votes > 0
              ? t('figures.month', { count: votes, formatted: formatNumber(votes, language) })
              : t('figures.board')}
          </Link>
        }
      />
    </StatTiles>
  )
}
