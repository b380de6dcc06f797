import { useEffect, type ReactNode } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { useFormParts } from './form-context'
import { useProblemWords } from './problems'

/** What every field of a form is told. */
export interface FormFieldProps {
  name: string
  label: string
  /** What to write, below the field. */
  help?: ReactNode
  /** It may stay empty, which is said beside the label. */
  optional?: boolean
}

export interface FieldHandle<Value> {
  /** What the primitive draws around its control; `error` is words for what is wrong. */
  frame: FormFieldProps & { error: string | undefined }
  value: Value
  ref: (element: { focus?: () => void } | null) => void
  change: (value: Value) => void
  leave: () => void
}

/**
 * One field of the form around it. Judged when it is left with something in it, forgiven while it changes. The value's
 * type is the caller's word: the form's schema judges it before anything is sent.
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
      // Whoever only passes by is not reproached for what they have not begun.
      if (!getFieldState(name).isDirty) return
      whenPointerIsUp(() => {
        // The press that left the field may have sent the form: what that said stands.
        if (!getFieldState(name).error) void trigger(name)
      })
    },
  }
}

/** A field made of several (three languages) carries its problem in the first of its parts. */
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

/** A reproach makes the form longer: it must not push the button away from under the finger that is pressing it. */
function whenPointerIsUp(then: () => void): void {
  if (!pointerIsDown) return then()
  const later = (): void => {
    for (const end of ['pointerup', 'pointercancel']) window.removeEventListener(end, later)
    // The click comes right after.
    setTimeout(then)
  }
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, later)
}
