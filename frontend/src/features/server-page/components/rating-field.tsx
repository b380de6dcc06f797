import { useTranslation } from '@/lib/i18n/i18n'
import { useField } from '@/components/form/use-field'
import { Field } from '@/components/ui/field'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { Star } from './stars'
import styles from './rating-field.module.css'

/**
 * Five radio buttons that look like stars; the arrow keys choose. The value is 1 to 5, or 0 if
 * nothing is chosen.
 */
export function RatingField({ name, label }: { name: string; label: string }) {
  const { t } = useTranslation('server-page')
  const field = useField<number>({ name, label })
  return (
    <Field {...field.frame} group="radiogroup">
      {() => (
        <div className={styles.stars}>
          {[1, 2, 3, 4, 5].map((star) => (
            <label key={star} className={star <= field.value ? styles.full : styles.empty}>
              <input
                type="radio"
                ref={star === 1 ? field.ref : undefined}
                name={name}
                value={star}
                checked={star === field.value}
                onChange={() => field.change(star)}
                onBlur={field.leave}
                className={styles.input}
              />
              <Star />
              <VisuallyHidden>{t('reviews.stars', { count: star })}</VisuallyHidden>
            </label>
          ))}
        </div>
      )}
    </Field>
  )
}
