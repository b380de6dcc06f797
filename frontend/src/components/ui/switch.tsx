import { useId, type ComponentProps } from 'react'
import { FieldError, FieldHelp, describedBy, type FieldLabels } from './field'
import styles from './switch.module.css'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'onChange'> &
  Pick<FieldLabels, 'label' | 'help' | 'error'> & { onCheckedChange: (checked: boolean) => void }

/** A setting that is on or off. The browser's own checkbox, drawn as a switch. */
export function Switch({ label, help, error, onCheckedChange, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.row}>
        {label}
        <input
          {...rest}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has a checked state
          role="switch"
          className={styles.track}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { help, error })}
          onChange={(event) => onCheckedChange(event.target.checked)}
        />
      </label>
      <FieldHelp field={id} help={help} />
      <FieldError field={id} error={error} />
    </div>
  )
}
