import { toNestErrors } from '@hookform/resolvers'
import type { FieldError, FieldValues, Resolver } from 'react-hook-form'
import { getDotPath, safeParse, type GenericSchema } from 'valibot'

/**
 * What a schema says of the values, the first of each field. All its rules are asked, also those between fields while
 * another field is wrong: one that compares two is a `partialCheck` of these, which waits for them alone.
 */
export function resolverOf<Input extends FieldValues, Output>(
  schema: GenericSchema<Input, Output>,
): Resolver<Input, unknown, Output> {
  return async (values, _context, options) => {
    const judged = safeParse(schema, values, { message: 'invalid', abortPipeEarly: false })
    if (judged.success) return { values: judged.output, errors: {} }
    const errors = new Map<string, FieldError>()
    for (const issue of judged.issues) {
      const path = getDotPath(issue) ?? ''
      if (!errors.has(path)) errors.set(path, { type: issue.type, message: issue.message })
    }
    return { values: {}, errors: toNestErrors(Object.fromEntries(errors), options) }
  }
}
