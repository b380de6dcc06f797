import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './select-field.module.css'

/** A choice among a few, in the browser's own list. */
export function SelectField({ label, ...rest }: Omit<ComponentProps<'select'>, 'id'> & { label: ReactNode }) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <select {...rest} id={id} className={styles.control} />
    </div>
  )
}
