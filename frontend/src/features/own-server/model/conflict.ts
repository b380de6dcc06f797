/** Conflicting edits of a server by another person or in another tab. */
import type { ServerField } from './server-fields'
import type { ServerValues } from './server-form'

type Values = Partial<ServerValues>

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}

/**
 * The fields that would be overwritten unseen. `base` is the row on which the form is based; null
 * if it is unknown, as for a draft from another day: then every difference counts.
 */
export function conflictingFields(base: Values | null, fresh: Values, edited: Values): ServerField[] {
  const fields = (Object.keys(edited) as (ServerField | 'stamp')[]).filter((name) => name !== 'stamp')
  return fields.filter((name) => differs(fresh[name], edited[name]) && differs(fresh[name], (base ?? edited)[name]))
}
