import { useId } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { Star } from './stars'
import styles from './rating-field.module.css'

interface RatingFieldProps {
  /** 1 to 5; 0 while nothing is chosen. */
  value: number
  onChange: (value: number) => void
  error: string | undefined
}

/** Five radio buttons that look like stars; the arrow keys choose. */
export function RatingField({ value, onChange, error }: RatingFieldProps) {
  const { t } = useTranslation('server-page')
  const errorId = useId()
  return (
    <fieldset className={styles.field} aria-describedby={error ? errorId : undefined}>
      <legend>{t('reviews.form.rating')}</legend>
      <div className={styles.stars}>
        {[1, 2, 3, 4, 5].map((star) => (
          <label key={star} className={star <= value ? styles.full : styles.empty}>
            <input
              type="radio"
              name="rating"
              value={star}
              checked={star === value}
              onChange={() => onChange(star)}
              className={styles.input}
            />
            <Star />
            <VisuallyHidden>{t('reviews.stars', { count: star })}</VisuallyHidden>
          </label>
        ))}
      </div>
      <div role="alert" id={errorId}>
        {error && (
          <p className={styles.error}>
            <Icon name="warning" size={18} />
            {error}
          </p>
        )}
      </div>
    </fieldset>
  )
}
