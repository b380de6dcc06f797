/**
 * Rows that depend on the viewer: their keys contain `own`, and they are removed when that person
 * signs out. Keys are defined in `entities/<entity>/keys` only (the walls check enforces it), so
 * that a mutation can name all queries that show its rows. The first element is the entity; `all`
 * matches everything about it.
 */
export const OWN = 'own'

/** Whether a cached query depends on the viewer. */
export function isOwn({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey.includes(OWN)
}
