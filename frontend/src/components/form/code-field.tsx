import { useEffect } from 'react'
import { TextInput } from '@/components/ui/text-input'
import { useFormParts } from './form-context'
import { useField, type FormFieldProps } from './use-field'
import styles from './code-field.module.css'

/** Codes of apps and text messages have six digits; those of e-mails may have up to ten. */
const LONGEST = 10

/**
 * A field for a one-time code; phones suggest the code that has just arrived. Spaces between the
 * digits are ignored.
 */
export function CodeField({
  firstFocus = false,
  ...props
}: Omit<FormFieldProps, 'optional'> & { firstFocus?: boolean }) {
  const { keepSecret } = useFormParts()
  const field = useField<string | undefined>(props)
  useEffect(() => keepSecret(props.name), [keepSecret, props.name])
  return (
    <TextInput
      {...field.frame}
      ref={(element) => {
        field.ref(element)
        if (firstFocus) focusOnce(element)
      }}
      className={styles.code}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      data-first-focus={firstFocus || undefined}
      value={field.value ?? ''}
      onChange={(event) => field.change(event.target.value.replace(/\D/g, '').slice(0, LONGEST))}
      onBlur={field.leave}
    />
  )
}

const focused = new WeakSet<HTMLInputElement>()

/** The field may appear in a window that is open already. */
function focusOnce(field: HTMLInputElement | null): void {
  if (field === null || focused.has(field)) return
  focused.add(field)
  field.focus()
}
