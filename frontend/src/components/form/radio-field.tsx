import { RadioCards, type RadioChoice } from '@/components/ui/radio-cards'
import { useField, type FormFieldLook } from './use-field'

/** A choice among a few that are all seen at once; the arrow keys choose. */
export function RadioField({ choices, ...look }: FormFieldLook & { choices: readonly RadioChoice[] }) {
  const { frame, value, ref, change, leave } = useField<string | undefined>(look)
  return <RadioCards {...frame} ref={ref} choices={choices} value={value} onValueChange={change} onBlur={leave} />
}
