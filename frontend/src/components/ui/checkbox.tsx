import { useId, type ComponentProps, type ReactNode } from 'react'
import { classes } from './classes'
import styles from './checkbox.module.css'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  /** Some of what it stands for is chosen. */
  mixed?: boolean
  /** The words are read aloud only, as in a table's rows. */
  bare?: boolean
}

/** Yes or no, as part of a form or of a list to choose from. The browser's own, in our colours. */
export function Checkbox({ label, mixed = false, bare = false, className, id, ...rest }: CheckboxProps) {
  const own = useId()
  return (
    <label htmlFor={id ?? own} className={classes(styles.checkbox, className)}>
      <input
        {...rest}
        id={id ?? own}
        type="checkbox"
        className={styles.box}
        ref={(input) => {
          if (input) input.indeterminate = mixed
        }}
      />
      <span className={bare ? styles.unseen : undefined}>{label}</span>
    </label>
  )
}
