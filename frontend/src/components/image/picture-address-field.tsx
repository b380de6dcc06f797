import { useState } from 'react'
import { useField, type FormFieldLook } from '@/components/form/use-field'
import { Spinner } from '@/components/ui/spinner'
import { TextInput } from '@/components/ui/text-input'
import { useTranslation } from '@/lib/i18n'
import { isSecureAddress } from '@/lib/rules'
import styles from './picture-address-field.module.css'

type Looked = { address: string; outcome: 'seen' | 'broken' }

/** A picture that stands elsewhere, by its https address: shown as soon as it is one, or said that it is none. */
export function PictureAddressField({ onTyped, ...look }: FormFieldLook & { onTyped?: (text: string) => void }) {
  const { t } = useTranslation('form')
  const field = useField<string | undefined>(look)
  const [looked, setLooked] = useState<Looked | null>(null)
  const text = field.value ?? ''
  const address = isSecureAddress(text.trim()) ? text.trim() : null
  const outcome = looked !== null && looked.address === address ? looked.outcome : null
  const broken = outcome === 'broken' ? t('image.problem.broken') : undefined
  return (
    <div className={styles.field}>
      <TextInput
        {...field.frame}
        error={field.frame.error ?? broken}
        ref={field.ref}
        type="url"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        required={!look.optional}
        value={text}
        onChange={(event) => {
          field.change(event.target.value)
          onTyped?.(event.target.value)
        }}
        onBlur={field.leave}
      />
      {address !== null && outcome !== 'broken' && (
        <div className={styles.stage} aria-busy={outcome === null || undefined}>
          {outcome === null && <Spinner />}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- whether it loads is what is asked */}
          <img
            key={address}
            src={address}
            alt={t('image.current')}
            className={styles.picture}
            data-seen={outcome === 'seen' || undefined}
            decoding="async"
            referrerPolicy="no-referrer"
            onLoad={() => setLooked({ address, outcome: 'seen' })}
            onError={() => setLooked({ address, outcome: 'broken' })}
          />
        </div>
      )}
    </div>
  )
}
