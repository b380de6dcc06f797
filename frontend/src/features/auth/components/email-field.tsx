import { useTranslation } from 'react-i18next'
import { TextField } from '@/components/ui/field'

export interface SharedEmail {
  email: string
  onEmailChange: (email: string) => void
}

export function EmailField({ email, onEmailChange, error }: SharedEmail & { error: string | undefined }) {
  const { t } = useTranslation('auth')
  return (
    <TextField
      label={t('field.email')}
      name="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      value={email}
      onChange={(event) => onEmailChange(event.target.value)}
      error={error}
    />
  )
}
