import { Checkbox } from '@/components/ui/checkbox'
import { Switch } from '@/components/ui/switch'
import { useField, type FormFieldProps } from './use-field'

type CheckFieldProps = Omit<FormFieldProps, 'optional'>

/** A boolean shown as a switch, for settings. */
export function SwitchField(props: CheckFieldProps) {
  const { frame, value, ref, change, leave } = useField<boolean | undefined>(props)
  const { name, label, help, error } = frame
  return (
    <Switch {...{ name, label, help, error, ref }} checked={value ?? false} onCheckedChange={change} onBlur={leave} />
  )
}

/** A boolean shown as a checkbox, for consent. */
export function CheckboxField(props: CheckFieldProps) {
  const { frame, value, ref, change, leave } = useField<boolean | undefined>(props)
  const { name, label, help, error } = frame
  return (
    <Checkbox
      {...{ name, label, help, error, ref }}
      checked={value ?? false}
      onChange={(event) => change(event.target.checked)}
      onBlur={leave}
    />
  )
}
