import { RadioCards, type RadioChoice } from '@/components/ui/radio-cards'
import { useField, type FormFieldProps } from './use-field'

/** A choice among a few that are all visible; the arrow keys choose. */
export function RadioField({ choices, ...props }: FormFieldProps & { choices: readonly RadioChoice[] }) {
  const { frame, value, ref, change, leave } = useField<string | undefined>(props)
  return <RadioCards {...frame} ref={ref} choices={choices} value={value} onValueChange={change} onBlur={leave} />
}
