import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes'
import { Field, type FieldLabels } from './field'
import styles from './text-input.module.css'

type TextInputProps = ComponentProps<'input'> &
  FieldLabels & {
    /** Drawn at the end within the field: a button, a unit. */
    end?: ReactNode
  }

/** A line of text with a label. */
export function TextInput({ label, help, optional, error, counter, id, end, className, ...rest }: TextInputProps) {
  return (
    <Field {...{ label, help, optional, error, counter, id }}>
      {(control) => {
        const input = <input {...rest} {...control} className={classes(styles.control, className)} />
        if (!end) return input
        return (
          <div className={styles.within}>
            {input}
            <div className={styles.end}>{end}</div>
          </div>
        )
      }}
    </Field>
  )
}

type TextAreaProps = ComponentProps<'textarea'> & FieldLabels

/** Several lines of text with a label; it grows with its content. */
export function TextArea({ label, help, optional, error, counter, id, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, help, optional, error, counter, id }}>
      {(control) => <textarea {...rest} {...control} className={classes(styles.control, styles.area)} />}
    </Field>
  )
}
