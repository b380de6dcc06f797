import { useId } from 'react'
import { Icon } from './icon'
import styles from './choice-list.module.css'

interface ChoiceListProps<Value extends string> {
  /** The name of the choice. */
  label: string
  /** Whether the label stands above the choices; it is always read aloud. */
  titled?: boolean
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string; lang?: string }[]
}

/** A choice of one among a few visible ones, for use in a `Popover`. Small. */
export function ChoiceList<Value extends string>({
  label,
  titled = false,
  value,
  onChange,
  options,
}: ChoiceListProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.list}>
      <legend className={titled ? styles.title : styles.hidden}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.choice} lang={option.lang}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={styles.words}>{option.label}</span>
          {option.value === value && <Icon name="check" size={16} />}
        </label>
      ))}
    </fieldset>
  )
}
