import type { ComponentProps } from 'react'
import { TextInput } from '@/components/ui/text-input'
import { useField, type FormFieldProps } from './use-field'

type InputAttributes = Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'autoCapitalize' | 'inputMode' | 'placeholder' | 'spellCheck' | 'readOnly' | 'list'
>

interface TextFieldProps extends FormFieldProps, InputAttributes {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search'
  /** Shows how much of this many characters is used; the schema refuses more. */
  limit?: number
  firstFocus?: boolean
  /** Follows what is typed, for whoever keeps it beyond this form. */
  onTyped?: (text: string) => void
}

/** A line of text. */
export function TextField({ name, label, help, optional, ...props }: TextFieldProps) {
  const { type = 'text', limit, firstFocus, onTyped, ...input } = props
  const field = useField<string | undefined>({ name, label, help, optional })
  const text = field.value ?? ''
  return (
    <TextInput
      {...input}
      {...field.frame}
      ref={field.ref}
      type={type}
      counter={limit === undefined ? undefined : { text, limit }}
      required={!optional}
      data-first-focus={firstFocus || undefined}
      value={text}
      onChange={(event) => {
        field.change(event.target.value)
        onTyped?.(event.target.value)
      }}
      onBlur={field.leave}
    />
  )
}

/** An e-mail address. */
export function EmailField(props: Omit<TextFieldProps, 'type' | 'inputMode' | 'autoCapitalize' | 'spellCheck'>) {
  return (
    <TextField
      autoComplete="email"
      {...props}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
