import { NumberInput, type NumberFormat } from '@/components/ui/number-input'
import { useField, type FormFieldProps } from './use-field'

interface NumberFieldProps extends FormFieldProps, NumberFormat {
  firstFocus?: boolean
}

/** A field for a number. The value is a number, or `null` while it is empty. */
export function NumberField({ name, label, help, optional, firstFocus, ...props }: NumberFieldProps) {
  const field = useField<number | null>({ name, label, help, optional })
  return (
    <NumberInput
      {...props}
      {...field.frame}
      ref={field.ref}
      required={!optional}
      data-first-focus={firstFocus || undefined}
      value={field.value}
      onValueChange={field.change}
      onBlur={field.leave}
    />
  )
}

/** A field for a sum of money; the value is in cents. */
export function MoneyField({
  currency = '€',
  ...props
}: Omit<NumberFieldProps, 'decimals' | 'scale' | 'unit'> & { currency?: string }) {
  return <NumberField {...props} unit={currency} decimals={2} scale={100} />
}
