import { useId, type ReactNode } from 'react'
import { FieldError } from './field'
import styles from './radio-cards.module.css'

interface RadioCardsProps<Value extends string> {
  label: ReactNode
  name?: string
  value: Value | null
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode; help?: ReactNode; disabled?: boolean }[]
  error?: ReactNode
}

/** One of a few that need a word each. The browser's own radio buttons, whose keys everybody knows. */
export function RadioCards<Value extends string>({
  label,
  name,
  value,
  options,
  error,
  ...rest
}: RadioCardsProps<Value>) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.cards}>
        {options.map((option) => (
          <label key={option.value} className={styles.card}>
            <input
              type="radio"
              name={name ?? id}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              className={styles.radio}
              onChange={() => rest.onValueChange(option.value)}
            />
            <span className={styles.text}>
              <span className={styles.label}>{option.label}</span>
              {option.help && <span className={styles.help}>{option.help}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldError field={id} error={error} />
    </fieldset>
  )
}
