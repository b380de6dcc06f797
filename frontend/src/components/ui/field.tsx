import { useId, type ComponentProps, type ReactNode } from 'react'
import { classes } from './classes'
import { Icon } from './icon'
import styles from './field.module.css'

export interface FieldLook {
  label: ReactNode
  /** What to write, below the field. */
  help?: ReactNode
  /** Why the value was refused; read aloud when it appears. */
  error?: ReactNode
  /** How much is written of how much may be. */
  counter?: { used: number; limit: number }
}

/** A labelled line of text with its help and its refusal. */
export function TextField({ label, help, error, counter, id, ...rest }: ComponentProps<'input'> & FieldLook) {
  const own = useId()
  const field = id ?? own
  const look = { label, help, error, counter }
  return (
    <FieldFrame field={field} {...look}>
      <input {...rest} {...describedBy(field, look)} id={field} className={styles.control} />
    </FieldFrame>
  )
}

/** The same for several lines. */
export function TextAreaField({ label, help, error, counter, id, ...rest }: ComponentProps<'textarea'> & FieldLook) {
  const own = useId()
  const field = id ?? own
  const look = { label, help, error, counter }
  return (
    <FieldFrame field={field} {...look}>
      <textarea {...rest} {...describedBy(field, look)} id={field} className={styles.control} />
    </FieldFrame>
  )
}

/** A choice among a few, in the browser's own list. */
export function SelectField({ label, help, error, counter, id, ...rest }: ComponentProps<'select'> & FieldLook) {
  const own = useId()
  const field = id ?? own
  const look = { label, help, error, counter }
  return (
    <FieldFrame field={field} {...look}>
      <select {...rest} {...describedBy(field, look)} id={field} className={styles.control} />
    </FieldFrame>
  )
}

/** Label, help, counter and refusal round any control whose id is `field`. */
export function FieldFrame({
  field,
  label,
  help,
  error,
  counter,
  children,
}: FieldLook & { field: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={field} className={styles.label}>
        {label}
      </label>
      {children}
      {(help || counter) && (
        <div className={styles.below}>
          {help && <p id={`${field}-help`}>{help}</p>}
          {counter && (
            <span className={classes(styles.counter, counter.used > counter.limit && styles.over)}>
              {counter.used}/{counter.limit}
            </span>
          )}
        </div>
      )}
      <FieldError field={field} error={error} />
    </div>
  )
}

/** Why the value of the field with this id was refused. Always there, so that what appears is read aloud. */
export function FieldError({ field, error }: { field: string; error: ReactNode }) {
  return (
    <div id={`${field}-error`} role="alert">
      {error && (
        <p className={styles.error}>
          <Icon name="warning" size={18} />
          {error}
        </p>
      )}
    </div>
  )
}

/** What ties a control to the words of its frame. */
export function describedBy(field: string, { help, error }: Pick<FieldLook, 'help' | 'error'>) {
  const parts = [help && `${field}-help`, error && `${field}-error`].filter(Boolean)
  return { 'aria-invalid': error ? true : undefined, 'aria-describedby': parts.join(' ') || undefined }
}
