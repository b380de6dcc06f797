import { useId, type ComponentProps, type ReactNode } from 'react'
import { Icon } from './icon'
import styles from './field.module.css'

interface FieldLook {
  label: ReactNode
  /** What to write, below the field. */
  help?: ReactNode
  /** Why the value was refused; read aloud when it appears. */
  error?: ReactNode
}

/** A labelled line of text with its help and its refusal. */
export function TextField({ label, help, error, id, ...rest }: ComponentProps<'input'> & FieldLook) {
  const own = useId()
  const field = id ?? own
  return (
    <FieldFrame field={field} label={label} help={help} error={error}>
      <input {...rest} {...describedBy(field, help, error)} id={field} className={styles.control} />
    </FieldFrame>
  )
}

/** The same for several lines. */
export function TextAreaField({ label, help, error, id, ...rest }: ComponentProps<'textarea'> & FieldLook) {
  const own = useId()
  const field = id ?? own
  return (
    <FieldFrame field={field} label={label} help={help} error={error}>
      <textarea {...rest} {...describedBy(field, help, error)} id={field} className={styles.control} />
    </FieldFrame>
  )
}

function FieldFrame({ field, label, help, error, children }: FieldLook & { field: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={field} className={styles.label}>
        {label}
      </label>
      {children}
      {help && (
        <p id={`${field}-help`} className={styles.help}>
          {help}
        </p>
      )}
      <div id={`${field}-error`} role="alert">
        {error && (
          <p className={styles.error}>
            <Icon name="warning" size={18} />
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

function describedBy(field: string, help: ReactNode, error: ReactNode) {
  const parts = [help && `${field}-help`, error && `${field}-error`].filter(Boolean)
  return { 'aria-invalid': error ? true : undefined, 'aria-describedby': parts.join(' ') || undefined }
}
