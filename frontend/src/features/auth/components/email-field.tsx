import { useTranslation } from '@/lib/i18n'
import { TextField } from '@/components/ui/field'

export interface SharedEmail {
  email: string
  onEmailChange: (email: string) => void
}

interface EmailFieldProps extends SharedEmail {
  error: string | undefined
  firstFocus?: boolean
}

export function EmailField({ email, onEmailChange, error, firstFocus }: EmailFieldProps) {
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
      data-first-focus={firstFocus}
      value={email}
      onChange={(event) => onEmailChange(event.target.value)}
      error={error}
    />
  )
}
