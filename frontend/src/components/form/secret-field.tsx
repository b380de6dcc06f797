import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextInput } from '@/components/ui/text-input'
import { useCopy } from '@/components/ui/use-copy'
import { useTranslation } from '@/lib/i18n/i18n'
import { useField, type FormFieldProps } from './use-field'
import { useSecret } from './use-secret'
import styles from './secret-field.module.css'

interface SecretFieldProps extends FormFieldProps {
  /** Creates a new secret, which becomes the field's value. Absent where the secret is typed. */
  regenerate?: () => Promise<string> | string
  readOnly?: boolean
}

/**
 * A token or key: hidden by default, with buttons to copy and to regenerate it. It is kept out of
 * drafts.
 */
export function SecretField({ regenerate, readOnly = false, ...props }: SecretFieldProps) {
  const { t } = useTranslation('form')
  const field = useField<string | undefined>(props)
  const secret = useSecret(props.name, { show: t('secret.show'), hide: t('secret.hide') })
  const copyText = useCopy()
  const [making, setMaking] = useState(false)

  async function copy(): Promise<void> {
    if (!(await copyText(field.value ?? '', { title: t('secret.copied') }))) secret.show()
  }

  async function renew(): Promise<void> {
    setMaking(true)
    try {
      field.change((await regenerate?.()) ?? '')
      secret.show()
    } catch {
      // `regenerate` reports its own failures; the old value stays.
    } finally {
      setMaking(false)
    }
  }

  return (
    <div className={styles.secret}>
      <TextInput
        {...field.frame}
        ref={field.ref}
        className={styles.code}
        type={secret.type}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={readOnly}
        required={!props.optional}
        value={field.value ?? ''}
        onChange={(event) => field.change(event.target.value)}
        onBlur={field.leave}
        end={secret.eye}
      />
      <div className={styles.buttons}>
        <Button icon="copy" disabled={!field.value} onClick={() => void copy()}>
          {t('secret.copy')}
        </Button>
        {regenerate && (
          <Button icon="refresh" busy={making} onClick={() => void renew()}>
            {t('secret.regenerate')}
          </Button>
        )}
      </div>
    </div>
  )
}
