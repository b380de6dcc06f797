import type { ReactNode } from 'react'
import { Frame, type FrameLook } from './frame'
import { useField } from './use-field'
import styles from './choices.module.css'

interface RadioChoice {
  value: string
  label: ReactNode
  help?: ReactNode
}

/** A choice among a few that are all seen at once; the arrow keys choose. */
export function RadioField({ choices, ...look }: FrameLook & { choices: readonly RadioChoice[] }) {
  const field = useField<string | undefined>(look.name)
  return (
    <Frame {...look} error={field.error} group="radiogroup">
      {({ name }) => (
        <div className={styles.cards}>
          {choices.map(({ value, label, help }, index) => (
            <label key={value} className={styles.card}>
              <input
                type="radio"
                className={styles.radio}
                ref={index === 0 ? field.ref : undefined}
                name={name}
                value={value}
                checked={field.value === value}
                onChange={() => field.change(value)}
                onBlur={field.leave}
              />
              <span>
                {label}
                {help && <span className={styles.help}>{help}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
    </Frame>
  )
}
