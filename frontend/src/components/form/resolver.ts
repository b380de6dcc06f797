import { toNestErrors } from '@hookform/resolvers'
import type { FieldError, FieldValues, Resolver } from 'react-hook-form'
import { getDotPath, safeParse, type GenericSchema } from 'valibot'

/**
 * A resolver that reports the first problem of each field. All rules run, including those between
 * fields while another field is invalid: a rule over two fields is a `partialCheck`, which waits
 * for these two only.
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
