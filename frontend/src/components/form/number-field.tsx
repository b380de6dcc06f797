import { useState } from 'react'
import { useTranslation } from '@/lib/i18n'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useLanguage } from '@/lib/use-language'
import { Frame, type FrameLook } from './frame'
import { readNumber, writeNumber } from './numbers'
import { useField } from './use-field'
import styles from './control.module.css'

interface NumberFieldProps extends FrameLook {
  /** What stands behind the figure: `€`, `j`. */
  unit?: string
  /** Digits after the point. */
  decimals?: number
  /** The value is this many times the figure shown: 100 for cents. */
  scale?: number
  firstFocus?: boolean
}

/** A figure, typed with the reader's own decimal sign. The value is a number, or `null` while there is none. */
export function NumberField({ unit, decimals = 0, scale = 1, firstFocus, ...look }: NumberFieldProps) {
  const { t } = useTranslation('form')
  const language = useLanguage()
  const field = useField<number | null>(look.name)
  const shown = (value: number | null): string => (value === null ? '' : writeNumber(value / scale, decimals, language))
  // What is being typed ("12,") is not a number yet; the value is shown as soon as the field is left.
  const [typed, setTyped] = useState<{ text: string; value: number | null } | null>(null)
  const text = typed !== null && Object.is(typed.value, field.value) ? typed.text : shown(field.value)

  function change(next: string): void {
    const number = readNumber(next)
    const value = number === null ? null : Math.round(number * scale * 10 ** 6) / 10 ** 6
    setTyped({ text: next, value })
    field.change(value)
  }

  return (
    <Frame {...look} error={field.error}>
      {(control) => (
        <div className={`${styles.within} ${styles.number}`}>
          <input
            {...control}
            ref={field.ref}
            className={styles.control}
            inputMode={decimals > 0 ? 'decimal' : 'numeric'}
            autoComplete="off"
            required={!look.optional}
            data-first-focus={firstFocus || undefined}
            value={text}
            onChange={(event) => change(event.target.value)}
            onBlur={() => {
              if (field.value !== null && !Number.isNaN(field.value)) setTyped(null)
              field.leave()
            }}
          />
          {unit && (
            <span className={styles.unit}>
              <VisuallyHidden>{t('money', { unit })}</VisuallyHidden>
              <span aria-hidden="true">{unit}</span>
            </span>
          )}
        </div>
      )}
    </Frame>
  )
}

/** A sum of money; the value is in cents. */
export function MoneyField({
  currency = '€',
  ...props
}: Omit<NumberFieldProps, 'decimals' | 'scale' | 'unit'> & { currency?: string }) {
  return <NumberField {...props} unit={currency} decimals={2} scale={100} />
}
