import { useTranslation } from '@/lib/i18n/i18n'
import { Field } from '@/components/ui/field'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useField, type FormFieldProps } from './use-field'
import styles from './colour-field.module.css'

/** The ten colors that the site offers, for tags and for servers. */
const SWATCHES = [
  { colour: '#3B82F6', name: 'blue' },
  { colour: '#EF4444', name: 'red' },
  { colour: '#10B981', name: 'green' },
  { colour: '#F59E0B', name: 'amber' },
  { colour: '#8B5CF6', name: 'purple' },
  { colour: '#EC4899', name: 'pink' },
  { colour: '#14B8A6', name: 'teal' },
  { colour: '#F97316', name: 'orange' },
  { colour: '#84CC16', name: 'lime' },
  { colour: '#6366F1', name: 'indigo' },
] as const

interface ColourFieldProps extends FormFieldProps {
  /** Allows any other color, with the browser's own picker. */
  custom?: boolean
}

/**
 * Ten swatches and, with `custom`, any other color. An optional field may have no color, which is
 * an empty text.
 */
export function ColourField({ custom = false, ...props }: ColourFieldProps) {
  const { t } = useTranslation('form')
  const field = useField<string | undefined>(props)
  const { name } = props
  const value = (field.value ?? '').toUpperCase()
  const isOwn = value !== '' && !SWATCHES.some(({ colour }) => colour === value)
  return (
    <Field {...field.frame} group="radiogroup">
      {() => (
        <div className={styles.swatches}>
          {props.optional && (
            <label className={styles.none}>
              <input type="radio" name={name} checked={value === ''} onChange={() => field.change('')} />
              <Icon name="close" size={18} />
              <VisuallyHidden>{t('colour.none')}</VisuallyHidden>
            </label>
          )}
          {SWATCHES.map(({ colour, name: word }, index) => (
            <label key={colour} className={styles.swatch} style={{ background: colour }}>
              <input
                type="radio"
                name={name}
                ref={index === 0 ? field.ref : undefined}
                checked={value === colour}
                onChange={() => field.change(colour)}
              />
              <VisuallyHidden>{t(`colour.names.${word}`)}</VisuallyHidden>
              {value === colour && <Icon name="check" size={18} />}
            </label>
          ))}
          {custom && (
            <label className={styles.custom} data-own={isOwn || undefined}>
              <input
                type="color"
                name={`${name}-custom`}
                value={value === '' ? '#8b5cf6' : value.toLowerCase()}
                onChange={(event) => field.change(event.target.value.toUpperCase())}
                onBlur={field.leave}
              />
              <span>{t('colour.custom')}</span>
              {isOwn && <code>{value}</code>}
            </label>
          )}
        </div>
      )}
    </Field>
  )
}
