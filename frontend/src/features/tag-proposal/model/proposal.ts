/** Validation of a proposed tag. */
import * as v from 'valibot'
import { colour, optionalText, requiredText } from '@/lib/text/rules'

export const MAX_NAME = 30
export const MAX_DESCRIPTION = 200

export const proposalSchema = v.object({
  name: requiredText(MAX_NAME),
  description: optionalText(MAX_DESCRIPTION),
  colour: colour(),
})
