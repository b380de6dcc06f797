import { useId, type ComponentProps } from 'react'
import { classes } from './classes'
import { FieldError, FieldHelp, describedBy, type FieldLabels } from './field'
import styles from './checkbox.module.css'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> &
  Pick<FieldLabels, 'label' | 'help' | 'error'> & {
    /** Some, not all, of the items it stands for are checked. */
    mixed?: boolean
    /** The label is read aloud only, as in a table's rows. */
    bare?: boolean
  }

/** A checkbox of a form or of a list: the browser's own, in our colors. */
export function Checkbox({ label, help, error, mixed = false, bare = false, className, ref, ...rest }: CheckboxProps) {
  const id = useId()
  const box = (
    <label className={classes(styles.checkbox, className)}>
      <input
        {...rest}
        type="checkbox"
        className={styles.box}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { help, error })}
        ref={(input) => {
          if (input) input.indeterminate = mixed
          if (typeof ref === 'function') return ref(input)
          if (ref) ref.current = input
        }}
      />
      <span className={bare ? styles.unseen : undefined}>{label}</span>
    </label>
  )
  if (bare) return box
  return (
    <div className={styles.field}>
      {box}
      <FieldHelp field={id} help={help} />
      <FieldError field={id} error={error} />
    </div>
  )
}
