/** What somebody else, or another tab, changed of a server while it was being edited here. */
import type { ServerField } from './server-fields'
import type { ServerValues } from './server-form'

type Values = Partial<ServerValues>

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}

/**
 * The fields of the form that would be overwritten unseen. `base` is the row the form began with; null where that is not
 * known any more, as for a draft from another day: then all that reads differently counts.
 */
export function changedElsewhere(base: Values | null, fresh: Values, mine: Values): ServerField[] {
  const fields = (Object.keys(mine) as (ServerField | 'stamp')[]).filter((name) => name !== 'stamp')
  return fields.filter((name) => differs(fresh[name], mine[name]) && differs(fresh[name], (base ?? mine)[name]))
}
