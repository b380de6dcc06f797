import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { reviewsQuery, type Review } from '../api/reviews'
import type { ServerDetail } from '../api/server'
import { OwnersAnswer, ReviewAnswer } from './review-answer'
import { ReviewItem, authorOf } from './review-item'
import styles from './reviews.module.css'

/** How many reviews are shown at first. */
const FIRST = 3

interface ReviewListProps {
  server: ServerDetail
  viewer: string | null
  enabled: boolean
  /** Whether the viewer's own review is already shown above. */
  hasOwn: boolean
}

/** The reviews of others: the first few, then all of them, ten at a time. */
export function ReviewList({ server, viewer, enabled, hasOwn }: ReviewListProps) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const [all, setAll] = useState(false)
  const reviews = useInfiniteQuery({ ...reviewsQuery(server.id, viewer), enabled })
  const isOwner = viewer !== null && viewer === server.owner_id

  function answerTo(review: Review): ReactNode {
    const { answer: text, answered_at: at } = review
    const answer = text === null || at === null ? null : { text, at }
    if (isOwner && !review.is_mine)
      return <OwnersAnswer answer={answer} reviewId={review.id} author={authorOf(review, t('reviews.anonymous'))} />
    return answer && <ReviewAnswer answer={answer} />
  }

  const otherReviews = reviews.data?.pages.flat().filter((review) => !(hasOwn && review.is_mine))
  return (
    <QueryStates
      query={reviews}
      data={otherReviews}
      loading={<Skeleton height="8rem" radius="var(--radius-lg)" />}
      failed={t('reviews.failed')}
      empty={
        !hasOwn && (
          <StateMessage drawing="empty" title={t('reviews.empty.title')}>
            {t('reviews.empty.text')}
          </StateMessage>
        )
      }
    >
      {(found) => (
        <>
          <ul className={styles.list}>
            {(all ? found : found.slice(0, FIRST)).map((review) => (
              <li key={review.id}>
                <ReviewItem review={review} answer={answerTo(review)} />
              </li>
            ))}
          </ul>
          {!all && found.length > FIRST && (
            <Button wide onClick={() => setAll(true)}>
              {t('reviews.all', {
                count: server.review_count,
                formatted: formatNumber(server.review_count, language),
              })}
            </Button>
          )}
          {all && reviews.hasNextPage && (
            <Button wide busy={reviews.isFetchingNextPage} onClick={() => void reviews.fetchNextPage()}>
              {t('reviews.more')}
            </Button>
          )}
        </>
      )}
    </QueryStates>
  )
}
