import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CheckboxField } from '@/components/form/check-field'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { decodeStored } from '@/lib/text/stored-text'
import type { OwnReview } from '../api/own-review'
import { saveReviewMutation } from '../api/save-review'
import { MAX_COMMENT, reviewSchema } from '../model/review'
import { REVIEW_REFUSALS } from '../model/review-refusals'
import { RatingField } from './rating-field'
import styles from './review-form.module.css'

interface ReviewFormProps {
  serverId: string
  /** The changed review; null for a new one. */
  review: OwnReview | null
  onDone: () => void
  onCancel: () => void
}

/**
 * A form for a rating and a comment, optionally anonymous. The input survives a refusal and a
 * reload.
 */
export function ReviewForm({ serverId, review, onDone, onCancel }: ReviewFormProps) {
  const { t } = useTranslation('server-page')
  const save = useMutation(saveReviewMutation())
  const schema = useMemo(
    () => reviewSchema({ rating: t('reviews.problem.rating'), comment: t('reviews.problem.comment') }),
    [t],
  )
  const form = useForm({
    schema,
    defaults: {
      rating: review?.rating ?? 0,
      comment: review === null ? '' : decodeStored(review.comment),
      isAnonymous: review?.is_anonymous ?? false,
    },
    submit: (values) => save.mutateAsync({ id: review?.id ?? null, serverId, ...values }),
    words: useRefusal(REVIEW_REFUSALS),
    onDone,
    draft: review === null ? `review.${serverId}` : `review.change.${review.id}`,
  })
  const title = t(review === null ? 'reviews.form.title' : 'reviews.form.changeTitle')
  return (
    <div className={styles.form}>
      <Form form={form} label={title}>
        <h3>{title}</h3>
        <RatingField name="rating" label={t('reviews.form.rating')} />
        <TextareaField
          name="comment"
          label={t('reviews.form.comment')}
          help={t('reviews.form.help')}
          limit={MAX_COMMENT}
          rows={4}
        />
        <CheckboxField name="isAnonymous" label={t('reviews.form.anonymous')} />
        <Submit aside={<Button onClick={onCancel}>{t('reviews.form.cancel')}</Button>}>
          {t(review === null ? 'reviews.form.submit' : 'reviews.form.save')}
        </Submit>
      </Form>
    </div>
  )
}
