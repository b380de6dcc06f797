import { Frame, type FrameLook } from './frame'
import { useField } from './use-field'
import styles from './control.module.css'

interface AreaFieldProps extends FrameLook {
  /** Shows how much of this many characters is used; the schema refuses more. */
  limit?: number
  rows?: number
  placeholder?: string
  firstFocus?: boolean
}

/** Several lines of text; grows with what is written. */
export function AreaField({ limit, rows = 4, placeholder, firstFocus, ...look }: AreaFieldProps) {
  const field = useField<string | undefined>(look.name)
  const text = field.value ?? ''
  return (
    <Frame {...look} error={field.error} counter={limit === undefined ? undefined : { text, limit }}>
      {(control) => (
        <textarea
          {...control}
          ref={field.ref}
          className={styles.control}
          rows={rows}
          placeholder={placeholder}
          required={!look.optional}
          data-first-focus={firstFocus || undefined}
          value={text}
          onChange={(event) => field.change(event.target.value)}
          onBlur={field.leave}
        />
      )}
    </Frame>
  )
}
