import { useState, type ComponentProps, type ReactNode } from 'react'
import { IconButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { useTranslation } from '@/lib/i18n'
import styles from './password-field.module.css'

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'autoComplete'> {
  label: ReactNode
  /** A new password is suggested by the browser, a current one is filled in. */
  purpose: 'new' | 'current'
  help?: ReactNode
  error?: ReactNode
}

/** A password that can be looked at while it is typed. */
export function PasswordField({ purpose, ...field }: PasswordFieldProps) {
  const { t } = useTranslation('ui')
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
          label={t(shown ? 'password.hide' : 'password.show')}
          onClick={() => setShown(!shown)}
        />
      </div>
    </div>
  )
}
