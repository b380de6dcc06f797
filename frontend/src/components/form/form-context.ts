/** The state of a form that its parts share, besides the values, which react-hook-form keeps. */
import { createContext, use } from 'react'

export interface FormParts {
  /** The form is being submitted. */
  busy: boolean
  /** The refusal of the whole form; shown above the button until the next submit. */
  refusal: string | null
  /** Throws if the form has no such field, which is a programming error. */
  assertField: (name: string) => void
  /** Keeps the value of this field out of drafts. */
  keepSecret: (name: string) => void
  /** The label of a field, for the summary of a long form. */
  labelOf: (name: string) => string | undefined
  nameField: (name: string, label: string) => void
}

export const FormContext = createContext<FormParts | null>(null)

export function useFormParts(): FormParts {
  const parts = use(FormContext)
  if (parts === null) throw new Error('A field stands outside of a <Form>')
  return parts
}
