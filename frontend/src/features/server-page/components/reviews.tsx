import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { formatNumber } from '@/lib/format'
import { useSession } from '@/lib/session'
import { useLanguage } from '@/lib/use-language'
import { reviewsQuery } from '../api/reviews'
import type { ServerDetail } from '../api/server'
import { Panel } from './panel'
import { PanelRetry } from './panel-retry'
import { ReviewInvitation } from './review-invitation'
import { ReviewItem } from './review-item'
import { Stars } from './stars'
import styles from './reviews.module.css'

/** What players say, newest first, and the place to join in. */
export function Reviews({ server }: { server: ServerDetail; name: string }) {
  const { t } = useTranslation('server-page')
  const { status, user } = useSession()
  const reviews = useInfiniteQuery({ ...reviewsQuery(server.id, user?.id ?? null), enabled: status !== 'loading' })
  const all = reviews.data?.pages.flat() ?? []
  const own = all.some((review) => review.is_mine)
  return (
    <Panel id="reviews" title={t('reviews.title')} aside={<Average server={server} />}>
      {reviews.isError && all.length === 0 ? (
        <PanelRetry text={t('reviews.failed')} query={reviews} />
      ) : reviews.isPending ? (
        <Skeleton height="8rem" radius="var(--radius-lg)" />
      ) : all.length === 0 ? (
        <StateMessage drawing="empty" title={t('reviews.empty.title')}>
          {t('reviews.empty.text')}
        </StateMessage>
      ) : (
        <ul className={styles.list}>
          {all.map((review) => (
            <li key={review.id}>
              <ReviewItem review={review} />
            </li>
          ))}
        </ul>
      )}
      {reviews.hasNextPage && (
        <Button busy={reviews.isFetchingNextPage} onClick={() => void reviews.fetchNextPage()}>
          {t('reviews.more')}
        </Button>
      )}
      {!own && <ReviewInvitation server={server} />}
    </Panel>
  )
}

function Average({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  if (server.rating_average === null) return null
  const rating = formatNumber(server.rating_average, language)
  return (
    <p className={styles.average}>
      <strong aria-hidden="true">{rating}</strong>
      <Stars value={server.rating_average} label={t('reviews.average', { rating })} />
      <span>
        {t('reviews.count', { count: server.review_count, formatted: formatNumber(server.review_count, language) })}
      </span>
    </p>
  )
}
