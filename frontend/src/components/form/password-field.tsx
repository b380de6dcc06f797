import { TextInput } from '@/components/ui/text-input'
import { useTranslation } from '@/lib/i18n/i18n'
import { useField, type FormFieldProps } from './use-field'
import { useSecret } from './use-secret'

interface PasswordFieldProps extends Omit<FormFieldProps, 'optional'> {
  /** The browser suggests a new password, and fills in a current one. */
  purpose: 'new' | 'current'
  firstFocus?: boolean
}

/** A password field with a button that shows the password; it is kept out of drafts. */
export function PasswordField({ purpose, firstFocus, ...props }: PasswordFieldProps) {
  const { t } = useTranslation('ui')
  const field = useField<string | undefined>(props)
  const secret = useSecret(props.name, { show: t('password.show'), hide: t('password.hide') })
  return (
    <TextInput
      {...field.frame}
      ref={field.ref}
      type={secret.type}
      autoComplete={`${purpose}-password`}
      autoCapitalize="none"
      spellCheck={false}
      required
      data-first-focus={firstFocus || undefined}
      value={field.value ?? ''}
      onChange={(event) => field.change(event.target.value)}
      onBlur={field.leave}
      end={secret.eye}
    />
  )
}
