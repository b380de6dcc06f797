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
export function changedElsewhere(base: Values | null, fresh: Values, mine: Values): ServerField[] {
  const fields = (Object.keys(mine) as (ServerField | 'stamp')[]).filter((name) => name !== 'stamp')
  return fields.filter((name) => differs(fresh[name], mine[name]) && differs(fresh[name], (base ?? mine)[name]))
}
