import { useEffect, type ReactNode } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { useFormParts } from './form-context'
import { useProblemWords } from './problems'

/** Properties that all fields of a form share. */
export interface FormFieldProps {
  name: string
  label: string
  /** A hint below the field. */
  help?: ReactNode
  /** The field may stay empty, which the label says. */
  optional?: boolean
}

export interface FieldHandle<Value> {
  /** The properties of the frame around the control; `error` is the text of the problem. */
  frame: FormFieldProps & { error: string | undefined }
  value: Value
  ref: (element: { focus?: () => void } | null) => void
  change: (value: Value) => void
  leave: () => void
}

/**
 * One field of the form around it. It is validated when it loses the focus with content, and its
 * problem is cleared while it changes. The type of the value is asserted by the caller: the form's
 * schema validates it on submit.
 */
export function useField<Value>({ name, label, help, optional }: FormFieldProps): FieldHandle<Value> {
  const { assertField, nameField } = useFormParts()
  assertField(name)
  useEffect(() => nameField(name, label), [name, label, nameField])
  const { control, clearErrors, trigger, getFieldState } = useFormContext()
  const { field, fieldState } = useController({ name, control })
  const words = useProblemWords()
  return {
    frame: { name, label, help, optional, error: words(problemOf(fieldState.error)) },
    value: field.value,
    ref: field.ref,
    change(value) {
      field.onChange(value)
      if (fieldState.error) clearErrors(name)
    },
    leave() {
      field.onBlur()
      // A field that was focused but not changed is not validated.
      if (!getFieldState(name).isDirty) return
      whenPointerIsUp(() => {
        // The press that blurred the field may have submitted the form: the problem that the submit
        // reported stays.
        if (!getFieldState(name).error) void trigger(name)
      })
    },
  }
}

/** The problem of a compound field (three languages) is the problem of its first invalid part. */
function problemOf(error: object | undefined): string | undefined {
  if (error === undefined) return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  for (const part of Object.values(error))
    if (typeof part === 'object' && part !== null && 'message' in part) return problemOf(part)
  return undefined
}

let pointerIsDown = false
if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (pointerIsDown = true), true)
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => (pointerIsDown = false), true)
}

/**
 * A message makes the form longer: it must not move the button away from the pointer that is
 * pressing it.
 */
function whenPointerIsUp(then: () => void): void {
  if (!pointerIsDown) return then()
  const later = (): void => {
    for (const end of ['pointerup', 'pointercancel']) window.removeEventListener(end, later)
    // The click event follows right after `pointerup`.
    setTimeout(then)
  }
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, later)
}
