import type { ComponentProps } from 'react'
import { Field, type FieldLabels } from './field'
import styles from './select-input.module.css'

export interface Choice {
  value: string
  label: string
  /** The language of the label, if it differs from the page's. */
  lang?: string
}

interface SelectInputProps extends Omit<ComponentProps<'select'>, 'children'>, FieldLabels {
  choices: readonly Choice[]
  /** The label of the empty choice, whose value is an empty text. */
  empty?: string | undefined
}

/** A choice among several in the browser's own select element, which phones show best. */
export function SelectInput({ label, help, optional, error, counter, id, choices, empty, ...rest }: SelectInputProps) {
  return (
    <Field {...{ label, help, optional, error, counter, id }}>
      {(control) => (
        <select {...rest} {...control} className={styles.control}>
          {empty !== undefined && <option value="">{empty}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} lang={choice.lang}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
