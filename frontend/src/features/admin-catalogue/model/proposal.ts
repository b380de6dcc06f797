/** Validation of a decision on a proposed tag. */
import * as v from 'valibot'
import { optionalText, requiredText } from '@/lib/text/rules'
import { tagSchema, type TagValues } from './tag'

export const MAX_NOTE = 1000

export const acceptSchema = v.object({ ...tagSchema.entries, note: optionalText(MAX_NOTE) })
export type AcceptValues = v.InferOutput<typeof acceptSchema>

/** The author of the proposal reads the reason. */
export const refuseSchema = v.object({ note: requiredText(MAX_NOTE) })

interface TagProposal {
  name: string
  description: string | null
  color: string
}

/**
 * The initial values of the form: the proposal's texts in all three languages, until they are
 * translated.
 */
export function proposedTag({ name, description, color }: TagProposal): TagValues {
  const all = (text: string) => ({ fr: text, en: text, es: text })
  return { name, names: all(name), description: all(description ?? ''), colour: color }
}
