import type { ComponentProps } from 'react'
import { Frame, type FrameLook } from './frame'
import { useField } from './use-field'
import styles from './control.module.css'

type Passed = Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'autoCapitalize' | 'inputMode' | 'placeholder' | 'spellCheck' | 'readOnly' | 'list'
>

interface TextFieldProps extends FrameLook, Passed {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search'
  /** Shows how much of this many characters is used; the schema refuses more. */
  limit?: number
  firstFocus?: boolean
  /** Follows what is typed, for whoever keeps it beyond this form. */
  onTyped?: (text: string) => void
}

/** A line of text. */
export function TextField({
  label,
  help,
  optional,
  type = 'text',
  limit,
  firstFocus,
  onTyped,
  ...rest
}: TextFieldProps) {
  const { name, ...input } = rest
  const field = useField<string | undefined>(name)
  const text = field.value ?? ''
  return (
    <Frame
      name={name}
      label={label}
      help={help}
      optional={optional}
      error={field.error}
      counter={limit === undefined ? undefined : { text, limit }}
    >
      {(control) => (
        <input
          {...input}
          {...control}
          ref={field.ref}
          type={type}
          className={styles.control}
          required={!optional}
          data-first-focus={firstFocus || undefined}
          value={text}
          onChange={(event) => {
            field.change(event.target.value)
            onTyped?.(event.target.value)
          }}
          onBlur={field.leave}
        />
      )}
    </Frame>
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
