import { useMutation } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Skeleton } from '@/components/ui/skeleton'
import { formatDate } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { lazyComponent } from '@/lib/browser/lazy'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { deleteAnswerMutation } from '../api/answer-review'
import styles from './review-answer.module.css'

const AnswerForm = lazyComponent(async () => (await import('./answer-form')).AnswerForm)
const DeleteQuestion = lazyComponent(async () => (await import('./delete-question')).DeleteQuestion)

/** An owner's reply to a review, as stored. */
export interface Answer {
  text: string
  at: string
}

interface ReviewProps {
  reviewId: string
  /** The displayed author of the review. */
  author: string
}

/** The owner's reply, with the owner's actions on it. */
export function ReviewAnswer({ answer, actions }: { answer: Answer; actions?: ReactNode }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  return (
    <div className={styles.answer}>
      <p className={styles.head}>
        <Icon name="server" size={16} />
        <strong>{t('reviews.answer.title')}</strong>
        <time dateTime={answer.at} data-tooltip={formatDate(answer.at, language)}>
          {formatRelative(answer.at, language)}
        </time>
      </p>
      <p className={styles.words}>{decodeStored(answer.text)}</p>
      {actions}
    </div>
  )
}

/** The reply as the owner sees it: a form, or the reply with actions to change or delete it. */
export function OwnersAnswer({ answer, reviewId, author }: ReviewProps & { answer: Answer | null }) {
  const { t } = useTranslation('server-page')
  const [writing, setWriting] = useState(false)
  const [asking, setAsking] = useState(false)
  const remove = useMutation(deleteAnswerMutation())
  if (writing) {
    const close = () => setWriting(false)
    return (
      <Suspense fallback={<Skeleton height="14rem" radius="var(--radius-md)" />}>
        <AnswerForm reviewId={reviewId} author={author} reply={answer?.text ?? null} onDone={close} />
      </Suspense>
    )
  }
  if (answer === null)
    return (
      <div className={styles.actions}>
        <Button
          size="small"
          icon="edit"
          aria-label={t('reviews.answer.writeTo', { author })}
          onClick={() => setWriting(true)}
        >
          {t('reviews.answer.write')}
        </Button>
      </div>
    )
  return (
    <ReviewAnswer
      answer={answer}
      actions={
        <div className={styles.actions}>
          <Button size="small" onClick={() => setWriting(true)}>
            {t('reviews.edit')}
          </Button>
          <Button size="small" variant="quiet" icon="trash" onClick={() => setAsking(true)}>
            {t('reviews.delete')}
          </Button>
          {asking && (
            <Suspense fallback={null}>
              <DeleteQuestion
                open
                onOpenChange={setAsking}
                title={t('reviews.answer.confirm.title')}
                text={t('reviews.answer.confirm.text')}
                onConfirm={() => remove.mutateAsync(reviewId)}
              />
            </Suspense>
          )}
        </div>
      }
    />
  )
}
