import { useMutation } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { deleteReviewMutation } from '@/entities/review/delete'
import { lazyComponent } from '@/lib/browser/lazy'
import { useTranslation } from '@/lib/i18n/i18n'
import type { OwnReview as Review } from '../api/own-review'
import styles from './own-review.module.css'
import { ReviewAnswer } from './review-answer'
import { ReviewItem } from './review-item'

const ReviewForm = lazyComponent(async () => (await import('./review-form')).ReviewForm)
const DeleteQuestion = lazyComponent(async () => (await import('./delete-question')).DeleteQuestion)

interface OwnReviewProps {
  review: Review
  serverId: string
  author: string | null
  /** The review was just published: it is scrolled into view and highlighted once. */
  isNew: boolean
}

/**
 * The viewer's own review, first in the list whatever its age, with actions to change or delete it.
 */
export function OwnReview({ review, serverId, author, isNew }: OwnReviewProps) {
  const { t } = useTranslation('server-page')
  const [editing, setEditing] = useState(false)
  const [asking, setAsking] = useState(false)
  const remove = useMutation(deleteReviewMutation())
  const answer = review.review_answers
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!isNew) return
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    place.current?.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' })
    place.current?.focus({ preventScroll: true })
  }, [isNew])

  if (editing) {
    const close = () => setEditing(false)
    return (
      <Suspense fallback={<Skeleton height="20rem" radius="var(--radius-lg)" />}>
        <ReviewForm serverId={serverId} review={review} onDone={close} onCancel={close} />
      </Suspense>
    )
  }
  return (
    <div ref={place} tabIndex={-1} className={isNew ? styles.new : styles.own}>
      <ReviewItem
        review={{ ...review, is_mine: true, author_role: null, author_name: review.is_anonymous ? null : author }}
        answer={answer && <ReviewAnswer answer={{ text: answer.comment, at: answer.created_at }} />}
        notes={review.is_hidden && <Badge tone="danger">{t('reviews.hidden')}</Badge>}
        actions={
          <div className={styles.actions}>
            <Button size="small" onClick={() => setEditing(true)}>
              {t('reviews.edit')}
            </Button>
            <Button size="small" variant="quiet" icon="trash" onClick={() => setAsking(true)}>
              {t('reviews.delete')}
            </Button>
          </div>
        }
      />
      {asking && (
        <Suspense fallback={null}>
          <DeleteQuestion
            open
            onOpenChange={setAsking}
            title={t('reviews.confirm.title')}
            text={t('reviews.confirm.text')}
            onConfirm={() => remove.mutateAsync(review.id)}
          />
        </Suspense>
      )}
    </div>
  )
}
