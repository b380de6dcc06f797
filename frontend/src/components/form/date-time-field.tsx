import { useWatch } from 'react-hook-form'
import { TextInput } from '@/components/ui/text-input'
import { config } from '@/lib/config'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { momentOfClock, siteClock } from '@/lib/time/site-moment'
import { useLanguage } from '@/lib/i18n/use-language'
import { useField, type FormFieldProps } from './use-field'
import styles from './date-time-field.module.css'

interface DateTimeFieldProps extends FormFieldProps {
  /**
   * The earliest and the latest moment that the browser's picker offers, in ISO 8601; the schema
   * validates them.
   */
  min?: string
  max?: string
  firstFocus?: boolean
}

/** The moment in the page's language: the browser's control uses its own. */
function ChosenMoment({ name }: { name: string }) {
  const language = useLanguage()
  const value = useWatch<Record<string, unknown>>({ name })
  const [day, time] = typeof value === 'string' ? siteClock(value).split('T') : []
  if (!day || !time) return null
  return <span className={styles.words}>{`${formatDate(day, language)}, ${time}`}</span>
}

/**
 * A moment in the site's time zone, whatever the reader's. The value is ISO 8601 in UTC, or an
 * empty text. It is the browser's own control: phones show their picker, keyboards type digits.
 */
export function DateTimeField({ min, max, firstFocus, ...props }: DateTimeFieldProps) {
  const { t } = useTranslation('form')
  const city = config.timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
  const field = useField<string | undefined>({
    ...props,
    help: (
      <>
        {t('dateTime.zone', { city })} {props.help} <ChosenMoment name={props.name} />
      </>
    ),
  })
  return (
    <TextInput
      {...field.frame}
      ref={field.ref}
      type="datetime-local"
      className={styles.moment}
      min={min && siteClock(min)}
      max={max && siteClock(max)}
      required={!props.optional}
      data-first-focus={firstFocus || undefined}
      value={siteClock(field.value ?? '')}
      onChange={(event) => field.change(momentOfClock(event.target.value) ?? '')}
      onBlur={field.leave}
    />
  )
}
