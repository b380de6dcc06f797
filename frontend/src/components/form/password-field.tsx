import { useEffect, useState } from 'react'
import { IconButton } from '@/components/ui/button'
import { TextInput } from '@/components/ui/text-input'
import { useTranslation } from '@/lib/i18n'
import { useFormParts } from './form-context'
import { useField, type FormFieldLook } from './use-field'

interface PasswordFieldProps extends Omit<FormFieldLook, 'optional'> {
  /** A new password is suggested by the browser, a current one is filled in. */
  purpose: 'new' | 'current'
  firstFocus?: boolean
}

/** A password that can be looked at while it is typed; no draft keeps it. */
export function PasswordField({ purpose, firstFocus, ...look }: PasswordFieldProps) {
  const { t } = useTranslation('ui')
  const { keepSecret } = useFormParts()
  const field = useField<string | undefined>(look)
  const [shown, setShown] = useState(false)
  useEffect(() => keepSecret(look.name), [keepSecret, look.name])
  return (
    <TextInput
      {...field.frame}
      ref={field.ref}
      type={shown ? 'text' : 'password'}
      autoComplete={`${purpose}-password`}
      autoCapitalize="none"
      spellCheck={false}
      required
      data-first-focus={firstFocus || undefined}
      value={field.value ?? ''}
      onChange={(event) => field.change(event.target.value)}
      onBlur={field.leave}
      end={
        <IconButton
          size="small"
          icon={shown ? 'eye-off' : 'eye'}
          label={t(shown ? 'password.hide' : 'password.show')}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
