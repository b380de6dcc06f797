import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useField, type FormFieldProps } from '@/components/form/use-field'
import { Picture } from '@/components/ui/picture'
import { Spinner } from '@/components/ui/spinner'
import { TextInput } from '@/components/ui/text-input'
import { COPY_REFUSALS, copyQuery } from '@/entities/image/queries'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { isWebAddress } from '@/lib/text/rules'
import styles from './picture-address-field.module.css'

/** Milliseconds without input after which an address counts as typed. */
const TYPING_MS = 500

/** An image on another site, by its address: shows the site's copy of it, or why there is none. */
export function PictureAddressField({ onTyped, ...props }: FormFieldProps & { onTyped?: (text: string) => void }) {
  const { t } = useTranslation('form')
  const field = useField<string | undefined>(props)
  const words = useRefusal(COPY_REFUSALS)
  const text = field.value ?? ''
  const address = isWebAddress(text.trim()) ? text.trim() : ''
  const typed = useDebouncedValue(address)
  const copy = useQuery({ ...copyQuery(typed), enabled: typed !== '' && typed === address })
  const isWaited = address !== '' && (address !== typed || copy.isPending)
  const fault = !isWaited && address !== '' && copy.isError ? words(copy.error) : undefined
  return (
    <div className={styles.field}>
      <TextInput
        {...field.frame}
        error={field.frame.error ?? fault}
        ref={field.ref}
        type="url"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        required={!props.optional}
        value={text}
        onChange={(event) => {
          field.change(event.target.value)
          onTyped?.(event.target.value)
        }}
        onBlur={field.leave}
      />
      {address !== '' && fault === undefined && (
        <div className={styles.stage} aria-busy={isWaited || undefined}>
          {isWaited ? <Spinner /> : <Picture src={copy.data} alt={t('image.current')} className={styles.picture} />}
        </div>
      )}
    </div>
  )
}

/** A debounced text; an empty text and the first value are passed on at once. */
function useDebouncedValue(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
