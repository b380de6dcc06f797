import { TextArea } from '@/components/ui/text-input'
import { useField, type FormFieldProps } from './use-field'

interface AreaFieldProps extends FormFieldProps {
  /** Shows how many of these characters are used; the schema refuses more. */
  limit?: number
  rows?: number
  placeholder?: string
  firstFocus?: boolean
}

/** A field for several lines of text; it grows with its content. */
export function TextareaField({ limit, rows = 4, placeholder, firstFocus, ...props }: AreaFieldProps) {
  const field = useField<string | undefined>(props)
  const text = field.value ?? ''
  return (
    <TextArea
      {...field.frame}
      ref={field.ref}
      counter={limit === undefined ? undefined : { text, limit }}
      rows={rows}
      placeholder={placeholder}
      required={!props.optional}
      data-first-focus={firstFocus || undefined}
      value={text}
      onChange={(event) => field.change(event.target.value)}
      onBlur={field.leave}
    />
  )
}
