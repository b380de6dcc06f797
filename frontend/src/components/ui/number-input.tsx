import { useState, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { classes } from './classes'
import { Field, type FieldLabels } from './field'
import { Icon } from './icon'
import { readNumber, writeNumber } from './numbers'
import { VisuallyHidden } from './visually-hidden'
import styles from './number-input.module.css'

export interface NumberFormat {
  /** The unit after the figure: `€`, `j`. */
  unit?: string
  /** The number of decimals. */
  decimals?: number
  /** The value is this many times the figure shown: 100 for cents. */
  scale?: number
  /**
   * The step of the two buttons and the arrow keys, in units as shown; without it there are none.
   */
  step?: number
  /** The limits of the buttons and the arrow keys. Typed values are validated by the schema. */
  min?: number
  max?: number
}

type InputAttributes = Pick<ComponentProps<'input'>, 'ref' | 'name' | 'required' | 'disabled' | 'onBlur'>

interface NumberInputProps extends NumberFormat, InputAttributes, FieldLabels {
  /** `null` while empty, NaN for text that is not a number. */
  value: number | null
  onValueChange: (value: number | null) => void
}

/**
 * A field for a number, typed with any decimal separator and shown with the one of the reader's
 * language.
 */
export function NumberInput({ value, onValueChange, onBlur, unit, step, min, max, ...props }: NumberInputProps) {
  const { decimals = 0, scale = 1, label, help, optional, error, counter, ...input } = props
  const language = useLanguage()
  // A text in progress ("12,") is not a number yet; the formatted value is shown when the field
  // loses the focus.
  const [typed, setTyped] = useState<{ text: string; value: number | null } | null>(null)
  const formatted = value === null ? '' : writeNumber(value / scale, decimals, language)
  const text = typed !== null && Object.is(typed.value, value) ? typed.text : formatted

  function type(next: string): void {
    const number = readNumber(next)
    const worth = number === null ? null : Math.round(number * scale * 10 ** 6) / 10 ** 6
    setTyped({ text: next, value: worth })
    onValueChange(worth)
  }

  const figure = value === null || Number.isNaN(value) ? null : value / scale
  function go(by: number): void {
    const from = figure ?? (by > 0 ? (min ?? 0) - by : (max ?? 0) - by)
    const next = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, from + by))
    setTyped(null)
    onValueChange(Math.round(next * scale * 10 ** 6) / 10 ** 6)
  }

  return (
    <Field {...{ label, help, optional, error, counter }}>
      {(control) => (
        <div className={classes(styles.frame, input.disabled && styles.disabled)}>
          <input
            {...input}
            {...control}
            className={styles.input}
            inputMode={decimals > 0 ? 'decimal' : 'numeric'}
            autoComplete="off"
            value={text}
            onChange={(event) => type(event.target.value)}
            onKeyDown={(event) => {
              if (step === undefined || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
              event.preventDefault()
              go(event.key === 'ArrowUp' ? step : -step)
            }}
            onBlur={(event) => {
              if (figure !== null) setTyped(null)
              onBlur?.(event)
            }}
          />
          {unit && <Unit>{unit}</Unit>}
          {step !== undefined && !input.disabled && (
            <Steps
              onLess={figure !== null && figure <= (min ?? -Infinity) ? undefined : () => go(-step)}
              onMore={figure !== null && figure >= (max ?? Infinity) ? undefined : () => go(step)}
            />
          )}
        </div>
      )}
    </Field>
  )
}

function Unit({ children }: { children: string }): ReactNode {
  const { t } = useTranslation('ui')
  return (
    <span className={styles.unit}>
      <VisuallyHidden>{t('number.unit', { unit: children })}</VisuallyHidden>
      <span aria-hidden="true">{children}</span>
    </span>
  )
}

type StepHandler = (() => void) | undefined

function Steps({ onLess, onMore }: { onLess: StepHandler; onMore: StepHandler }): ReactNode {
  const { t } = useTranslation('ui')
  const step = (icon: 'minus' | 'plus', words: string, go: StepHandler) => (
    <button
      type="button"
      className={styles.step}
      aria-label={words}
      disabled={!go}
      onClick={go}
      // Keeps the focus, and with it a phone's keyboard, in the field.
      onPointerDown={(event) => event.preventDefault()}
    >
      <Icon name={icon} size={18} />
    </button>
  )
  return (
    <>
      {step('minus', t('number.less'), onLess)}
      {step('plus', t('number.more'), onMore)}
    </>
  )
}
