import { useState, type ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import styles from './password-field.module.css'

interface PasswordFieldProps {
  /** A new password is suggested by the browser, a current one is filled in. */
  purpose: 'new' | 'current'
  help?: string
  error: string | undefined
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void
}

export function PasswordField({ purpose, help, error, onChange }: PasswordFieldProps) {
  const { t } = useTranslation('auth')
  const [shown, setShown] = useState(false)
  return (
    <div className={styles.frame}>
      <TextField
        label={t('field.password')}
        name="password"
        type={shown ? 'text' : 'password'}
        autoComplete={`${purpose}-password`}
        autoCapitalize="none"
        spellCheck={false}
        required
        help={help}
        error={error}
        onChange={onChange}
      />
      <div className={styles.toggle}>
        <IconButton
          size="small"
          icon={shown ? 'eye-off' : 'eye'}
          label={t(shown ? 'field.hide-password' : 'field.show-password')}
          onClick={() => setShown(!shown)}
        />
      </div>
    </div>
  )
}
