import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { TextAreaField } from '@/components/ui/field'
import { addReviewMutation } from '../api/add-review'
import { reviewProblems, type ReviewProblem } from '../model/review'
import { RatingField } from './rating-field'
import styles from './review-form.module.css'

/** A rating and a comment; the name may stay hidden. What was typed survives a refusal. */
export function ReviewForm({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const [rating, setRating] = useState(0)
  const [problems, setProblems] = useState<{ rating?: ReviewProblem; comment?: ReviewProblem }>({})
  const form = useRef<HTMLFormElement>(null)

  const add = useMutation(addReviewMutation())

  function empty(): void {
    form.current?.reset()
    setRating(0)
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const comment = String(data.get('comment')).trim()
    const found = reviewProblems({ rating, comment })
    setProblems(found)
    const first = found.rating ? 'rating' : found.comment ? 'comment' : null
    if (first) return form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    const review = { serverId, rating, comment, isAnonymous: data.get('anonymous') !== null }
    if (!add.isPending) add.mutate(review, { onSuccess: empty })
  }

  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit} aria-label={t('reviews.form.title')}>
      <h3>{t('reviews.form.title')}</h3>
      <RatingField
        value={rating}
        onChange={(next) => {
          setRating(next)
          setProblems(({ rating: _, ...rest }) => rest)
        }}
        error={problems.rating && t(`reviews.problem.${problems.rating}`)}
      />
      <TextAreaField
        label={t('reviews.form.comment')}
        help={t('reviews.form.help')}
        error={problems.comment && t(`reviews.problem.${problems.comment}`)}
        name="comment"
        rows={4}
        required
        onChange={() => setProblems(({ comment: _, ...rest }) => rest)}
      />
      <div className={styles.foot}>
        <label className={styles.anonymous}>
          <input type="checkbox" name="anonymous" />
          {t('reviews.form.anonymous')}
        </label>
        <Button type="submit" look="primary" busy={add.isPending}>
          {t('reviews.form.submit')}
        </Button>
      </div>
    </form>
  )
}
