/** Validation of a tag. */
import * as v from 'valibot'
import { colour, optionalText, requiredText } from '@/lib/text/rules'

export const MAX_NAME = 30
export const MAX_DESCRIPTION = 200

const names = () => v.object({ fr: requiredText(MAX_NAME), en: requiredText(MAX_NAME), es: requiredText(MAX_NAME) })
const text = () => optionalText(MAX_DESCRIPTION)

export const tagSchema = v.object({
  name: requiredText(MAX_NAME),
  names: names(),
  description: v.object({ fr: text(), en: text(), es: text() }),
  colour: colour(),
})

export type TagValues = v.InferOutput<typeof tagSchema>

/** The initial values of a tag's form; a new tag is empty and violet. */
export interface TagRow {
  name: string
  color: string
  name_fr: string
  name_en: string
  name_es: string
  description_fr: string | null
  description_en: string | null
  description_es: string | null
}

export function tagValues(tag: TagRow | null): TagValues {
  return {
    name: tag?.name ?? '',
    names: { fr: tag?.name_fr ?? '', en: tag?.name_en ?? '', es: tag?.name_es ?? '' },
    description: {
      fr: tag?.description_fr ?? '',
      en: tag?.description_en ?? '',
      es: tag?.description_es ?? '',
    },
    colour: tag?.color ?? '#8B5CF6',
  }
}
