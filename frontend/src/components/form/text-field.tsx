import type { ComponentProps } from 'react'
import { TextInput } from '@/components/ui/text-input'
import { useField, type FormFieldProps } from './use-field'

type InputAttributes = Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'autoCapitalize' | 'inputMode' | 'placeholder' | 'spellCheck' | 'readOnly' | 'list'
>

interface TextFieldProps extends FormFieldProps, InputAttributes {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search'
  /** Shows how many of these characters are used; the schema refuses more. */
  limit?: number
  firstFocus?: boolean
  /** Called at every change, for callers that use the text outside of the form. */
  onTyped?: (text: string) => void
}

/** A field for a line of text. */
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

/** A field for an email address. */
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
