import { useTranslation } from '@/lib/i18n'
import { Field } from '@/components/ui/field'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useField, type FormFieldLook } from './use-field'
import styles from './colour-field.module.css'

/** The ten the site offers, for tags and for servers. */
const SWATCHES = [
  '#3B82F6',
  '#EF4444',
  '#10B981',
  '#F59E0B',
  '#8B5CF6',
  '#EC4899',
  '#14B8A6',
  '#F97316',
  '#84CC16',
  '#6366F1',
] as const

interface ColourFieldProps extends FormFieldLook {
  /** Any other colour too, by the browser's own picker. */
  custom?: boolean
}

/** Ten swatches, and where wanted any other colour. An optional one may be none, which is an empty text. */
export function ColourField({ custom = false, ...look }: ColourFieldProps) {
  const { t } = useTranslation('form')
  const field = useField<string | undefined>(look)
  const { name } = look
  const value = (field.value ?? '').toUpperCase()
  const isOwn = value !== '' && !SWATCHES.some((swatch) => swatch === value)
  return (
    <Field {...field.frame} group="radiogroup">
      {() => (
        <div className={styles.swatches}>
          {look.optional && (
            <label className={styles.none}>
              <input type="radio" name={name} checked={value === ''} onChange={() => field.change('')} />
              <Icon name="close" size={18} />
              <VisuallyHidden>{t('colour.none')}</VisuallyHidden>
            </label>
          )}
          {SWATCHES.map((swatch, index) => (
            <label key={swatch} className={styles.swatch} style={{ background: swatch }}>
              <input
                type="radio"
                name={name}
                ref={index === 0 ? field.ref : undefined}
                checked={value === swatch}
                onChange={() => field.change(swatch)}
              />
              <VisuallyHidden>{t('colour.swatch', { colour: swatch })}</VisuallyHidden>
              {value === swatch && <Icon name="check" size={18} />}
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
