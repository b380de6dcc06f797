import { SelectInput, type Choice } from '@/components/ui/select-input'
import { useField, type FormFieldProps } from './use-field'

interface SelectFieldProps extends FormFieldProps {
  choices: readonly Choice[]
  /** The label of the empty choice, whose value is an empty text. */
  empty?: string
}

/** A choice among several in the browser's own select element. */
export function SelectField({ choices, empty, ...props }: SelectFieldProps) {
  const field = useField<string | undefined>(props)
  return (
    <SelectInput
      {...field.frame}
      ref={field.ref}
      choices={choices}
      empty={empty}
      required={!props.optional}
      value={field.value ?? ''}
      onChange={(event) => field.change(event.target.value)}
      onBlur={field.leave}
    />
  )
}
