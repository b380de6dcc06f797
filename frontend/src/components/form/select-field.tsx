import { Frame, type FrameLook } from './frame'
import { useField } from './use-field'
import styles from './control.module.css'

export interface Choice {
  value: string
  label: string
  /** Where the label is in another language than the page. */
  lang?: string
}

/** A choice among several in the browser's own list, which phones show best. */
export function SelectField({ choices, empty, ...look }: FrameLook & { choices: readonly Choice[]; empty?: string }) {
  const field = useField<string | undefined>(look.name)
  return (
    <Frame {...look} error={field.error}>
      {(control) => (
        <select
          {...control}
          ref={field.ref}
          className={styles.control}
          required={!look.optional}
          value={field.value ?? ''}
          onChange={(event) => field.change(event.target.value)}
          onBlur={field.leave}
        >
          {empty !== undefined && <option value="">{empty}</option>}
          {choices.map(({ value, label, lang }) => (
            <option key={value} value={value} lang={lang}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  )
}
