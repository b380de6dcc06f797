import { SelectInput, type Choice } from '@/components/ui/select-input'
import { useField, type FormFieldLook } from './use-field'

interface SelectFieldProps extends FormFieldLook {
  choices: readonly Choice[]
  /** The name of choosing nothing, which is an empty text. */
  empty?: string
}

/** A choice among several in the browser's own list. */
export function SelectField({ choices, empty, ...look }: SelectFieldProps) {
  const field = useField<string | undefined>(look)
  return (
    <SelectInput
      {...field.frame}
      ref={field.ref}
      choices={choices}
      empty={empty}
      required={!look.optional}
      value={field.value ?? ''}
      onChange={(event) => field.change(event.target.value)}
      onBlur={field.leave}
    />
  )
}
