import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { OwnPanel } from '@/components/query/own-panel'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Icon } from '@/components/ui/icon'
import { PanelRow } from '@/components/ui/panel'
import { deleteReviewMutation } from '@/entities/review/delete'
import { formatDate } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { reviewsQuery, type OwnReview } from '../api/reviews'
import styles from './rows.module.css'

export function ReviewsPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  return (
    <OwnPanel
      title={t('reviews.title')}
      intro={t('reviews.intro')}
      query={useQuery(reviewsQuery(userId))}
      unreadable={t('reviews.unreadable')}
      empty={t('reviews.empty')}
    >
      {(review) => <ReviewRow key={review.id} review={review} />}
    </OwnPanel>
  )
}

function ReviewRow({ review }: { review: OwnReview }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const server = review.servers
  const name = review.server_name === null ? t('reviews.gone') : decodeStored(review.server_name)
  const remove = useMutation(deleteReviewMutation())
  return (
    <PanelRow
      icon={<Icon name="star" />}
      title={
        server ? (
          <Link to={paths.server(language, server)} className={styles.link}>
            {name}
          </Link>
        ) : (
          name
        )
      }
      badge={
        <>
          <Badge icon="star">{t('reviews.rating', { rating: review.rating })}</Badge>
          {review.is_anonymous && <Badge>{t('reviews.anonymous')}</Badge>}
          {server === null && review.server_name !== null && <Badge>{t('reviews.unlisted')}</Badge>}
          {review.is_hidden && <Badge tone="danger">{t('reviews.hidden')}</Badge>}
        </>
      }
      details={
        <>
          <span className={styles.comment}>{decodeStored(review.comment)}</span>
          {review.review_answers && (
            <span className={styles.answer}>
              <strong>{t('reviews.answer')}</strong> {decodeStored(review.review_answers.comment)}
            </span>
          )}
          {formatDate(review.created_at, language)}
        </>
      }
      action={
        <>
          {server && (
            <ButtonLink
              size="small"
              to={`${paths.server(language, server)}#reviews`}
              aria-label={t('reviews.editNamed', { server: name })}
            >
              {t('reviews.edit')}
            </ButtonLink>
          )}
          <ConfirmButton
            size="small"
            aria-label={t('reviews.deleteNamed', { server: name })}
            title={t('reviews.confirmTitle')}
            text={t('reviews.confirmText', { server: name })}
            confirm={t('reviews.delete')}
            onConfirm={() => remove.mutateAsync(review.id)}
          >
            {t('reviews.delete')}
          </ConfirmButton>
        </>
      }
    />
  )
}
