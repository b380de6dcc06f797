import { useEffect, useId, type ReactNode } from 'react'
import { Icon } from '@/components/ui/icon'
import { useFormParts } from './form-context'
import { useField } from './use-field'
import styles from './choices.module.css'

interface CheckFieldProps {
  name: string
  label: string
  help?: ReactNode
}

function OnOff({ name, label, help, kind }: CheckFieldProps & { kind: 'switch' | 'checkbox' }) {
  const field = useField<boolean | undefined>(name)
  const id = useId()
  const { nameField } = useFormParts()
  useEffect(() => nameField(name, label), [name, label, nameField])
  const described = [help && `${id}-help`, field.error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.onOff}>
      <label className={styles.line}>
        <input
          type="checkbox"
          role={kind === 'switch' ? 'switch' : undefined}
          className={kind === 'switch' ? styles.switch : styles.box}
          ref={field.ref}
          name={name}
          checked={field.value ?? false}
          aria-invalid={field.error ? true : undefined}
          aria-describedby={described || undefined}
          onChange={(event) => field.change(event.target.checked)}
          onBlur={field.leave}
        />
        <span>{label}</span>
      </label>
      {help && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
      <div id={`${id}-error`} role="alert">
        {field.error && (
          <p className={styles.error}>
            <Icon name="warning" size={18} />
            {field.error}
          </p>
        )}
      </div>
    </div>
  )
}

/** On or off, at once understood as a setting. */
export function SwitchField(props: CheckFieldProps) {
  return <OnOff {...props} kind="switch" />
}

/** Agreed to or not. */
export function CheckboxField(props: CheckFieldProps) {
  return <OnOff {...props} kind="checkbox" />
}
