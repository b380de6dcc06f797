/** What the parts of one form know of it besides the values, which react-hook-form keeps. */
import { createContext, use } from 'react'

export interface FormParts {
  /** Something is being sent. */
  busy: boolean
  /** Why it was refused as a whole; stands above the button until the next try. */
  refusal: string | null
  /** The form knows of no such field: a mistake of whoever wrote it. */
  assertField: (name: string) => void
  /** Keeps what is typed here out of drafts. */
  keepSecret: (name: string) => void
  /** What the button says is called, for the summary of a long form. */
  labelOf: (name: string) => string | undefined
  nameField: (name: string, label: string) => void
}

export const FormContext = createContext<FormParts | null>(null)

export function useFormParts(): FormParts {
  const parts = use(FormContext)
  if (parts === null) throw new Error('A field stands outside of a <Form>')
  return parts
}
