import { useId, type ComponentProps, type ReactNode } from 'react'
import { Field, type FieldLabels } from './field'
import styles from './radio-cards.module.css'

export interface RadioChoice<Value extends string = string> {
  value: Value
  label: ReactNode
  help?: ReactNode
  disabled?: boolean
}

interface RadioCardsProps<Value extends string> extends Omit<FieldLabels, 'counter'> {
  name?: string
  value: Value | null | undefined
  onValueChange: (value: Value) => void
  choices: readonly RadioChoice<Value>[]
  onBlur?: () => void
  /** The ref of the first choice. */
  ref?: ComponentProps<'input'>['ref']
}

/**
 * A choice of one among a few visible ones, made of the browser's own radio buttons with their
 * keys.
 */
export function RadioCards<Value extends string>({ value, choices, ref, onBlur, ...rest }: RadioCardsProps<Value>) {
  const { onValueChange, ...field } = rest
  const id = useId()
  return (
    <Field {...field} group="radiogroup">
      {() => (
        <div className={styles.cards}>
          {choices.map((choice, index) => (
            <label key={choice.value} className={styles.card}>
              <input
                type="radio"
                ref={index === 0 ? ref : undefined}
                name={field.name ?? id}
                value={choice.value}
                checked={choice.value === value}
                disabled={choice.disabled}
                className={styles.radio}
                onChange={() => onValueChange(choice.value)}
                onBlur={onBlur}
              />
              <span className={styles.text}>
                <span className={styles.label}>{choice.label}</span>
                {choice.help && <span className={styles.help}>{choice.help}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
    </Field>
  )
}
