import type { ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Badge } from '@/components/ui/badge'
import { IconButton } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { formatDate } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useAskToReport } from '@/entities/report/dialog'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Review } from '../api/reviews'
import { Stars } from './stars'
import styles from './review-item.module.css'

interface ReviewItemProps {
  review: Omit<Review, 'is_mine' | 'answer' | 'answered_at'> & { is_mine: boolean | null }
  /** The owner's reply. */
  answer?: ReactNode
  /** Notes that only the author sees. */
  notes?: ReactNode
  /** The author's actions. */
  actions?: ReactNode
}

export function ReviewItem({ review, answer, notes, actions }: ReviewItemProps) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const askToReport = useAskToReport()
  const author = authorOf(review, t('reviews.anonymous'))
  const role = review.author_role
  const report = () => askToReport({ kind: 'review', id: review.id, name: author })
  return (
    <article className={styles.review}>
      <header className={styles.head}>
        <span className={styles.face} aria-hidden="true">
          {review.author_name === null ? <Icon name="user" size={20} /> : [...author][0]?.toUpperCase()}
        </span>
        <div className={styles.who}>
          <h3 className={styles.author}>
            {author}
            {(role === 'admin' || role === 'founder') && <Badge tone="accent">{t(`reviews.${role}`)}</Badge>}
            {review.is_mine && <Badge tone="accent">{t('reviews.mine')}</Badge>}
            {notes}
          </h3>
          <p className={styles.when}>
            <Stars value={review.rating} label={t('reviews.stars', { count: review.rating })} />
            <time dateTime={review.created_at} data-tooltip={formatDate(review.created_at, language)}>
              {formatRelative(review.created_at, language)}
            </time>
            {Date.parse(review.updated_at) > Date.parse(review.created_at) && (
              <time dateTime={review.updated_at} data-tooltip={formatDate(review.updated_at, language)}>
                {t('reviews.edited', { when: formatRelative(review.updated_at, language) })}
              </time>
            )}
          </p>
        </div>
        {!review.is_mine && (
          <IconButton icon="flag" size="small" label={t('reviews.report', { author })} onClick={report} />
        )}
      </header>
      <p className={styles.comment}>{decodeStored(review.comment)}</p>
      {answer}
      {actions}
    </article>
  )
}

/** The displayed name of the author. */
export function authorOf({ author_name: name }: Pick<Review, 'author_name'>, anonymous: string): string {
  return name === null ? anonymous : decodeStored(name)
}
