import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Form } from './form'
import { FormDialog } from './form-dialog'
import { Submit } from './submit'
import { useForm, type FormOptions } from './use-form'

interface EntityDialogProps<Input extends FieldValues, Output, Done> extends Pick<
  FormOptions<Input, Output, Done>,
  'schema' | 'defaults' | 'submit' | 'refusals' | 'words' | 'guard'
> {
  title: string
  description?: ReactNode
  wide?: boolean
  /** The label of the submit button. */
  action: string
  /** Whether submitting deletes something. */
  danger?: boolean
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** A dialog with one form that creates, changes or decides; it closes after a successful submit. */
export function EntityDialog<Input extends FieldValues, Output, Done>({
  title,
  description,
  wide,
  action,
  danger,
  onClose,
  children,
  ...options
}: EntityDialogProps<Input, Output, Done>) {
  const form = useForm({ guard: true, ...options, onDone: onClose })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      {...(description !== undefined && { description })}
      {...(wide && { wide })}
    >
      <Form form={form}>
        {children}
        <Submit {...(danger && { variant: 'danger' })}>{action}</Submit>
      </Form>
    </FormDialog>
  )
}
