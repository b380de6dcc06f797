import { useState, type ComponentProps, type ReactNode } from 'react'
import { IconButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import styles from './password-field.module.css'

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'autoComplete'> {
  label: ReactNode
  /** A new password is suggested by the browser, a current one is filled in. */
  purpose: 'new' | 'current'
  /** What the button that shows and hides the letters is called. */
  showLabel: string
  hideLabel: string
  help?: ReactNode
  error?: ReactNode
}

/** A password that can be looked at while it is typed. */
export function PasswordField({ purpose, showLabel, hideLabel, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className={styles.frame}>
      <TextField
        {...field}
        type={shown ? 'text' : 'password'}
        autoComplete={`${purpose}-password`}
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className={styles.toggle}>
        <IconButton
          size="small"
          icon={shown ? 'eye-off' : 'eye'}
          label={shown ? hideLabel : showLabel}
          onClick={() => setShown(!shown)}
        />
      </div>
    </div>
  )
}
