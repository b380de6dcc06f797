import { useEffect, useState } from 'react'
import { IconButton } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n'
import { useFormParts } from './form-context'
import { Frame, type FrameLook } from './frame'
import { useField } from './use-field'
import styles from './control.module.css'

interface PasswordFieldProps extends Omit<FrameLook, 'optional'> {
  /** A new password is suggested by the browser, a current one is filled in. */
  purpose: 'new' | 'current'
  firstFocus?: boolean
}

/** A password that can be looked at while it is typed; no draft keeps it. */
export function PasswordField({ purpose, firstFocus, ...look }: PasswordFieldProps) {
  const { t } = useTranslation('ui')
  const { keepSecret } = useFormParts()
  const field = useField<string | undefined>(look.name)
  const [shown, setShown] = useState(false)
  useEffect(() => keepSecret(look.name), [keepSecret, look.name])
  return (
    <Frame {...look} error={field.error}>
      {(control) => (
        <div className={styles.within}>
          <input
            {...control}
            ref={field.ref}
            className={styles.control}
            type={shown ? 'text' : 'password'}
            autoComplete={`${purpose}-password`}
            autoCapitalize="none"
            spellCheck={false}
            required
            data-first-focus={firstFocus || undefined}
            value={field.value ?? ''}
            onChange={(event) => field.change(event.target.value)}
            onBlur={field.leave}
          />
          <div>
            <IconButton
              size="small"
              icon={shown ? 'eye-off' : 'eye'}
              label={t(shown ? 'password.hide' : 'password.show')}
              onClick={() => setShown(!shown)}
            />
          </div>
        </div>
      )}
    </Frame>
  )
}
