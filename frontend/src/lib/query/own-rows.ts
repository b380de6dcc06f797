/**
 * Rows that depend on who asks: their keys carry `own`, and they are forgotten when that person leaves. Keys are made in
 * `entities/<entity>/keys` and nowhere else (held by the walls check), so that whoever changes rows can name all that
 * shows them. The first word is the entity; `all` names everything about it.
 */
export const OWN = 'own'

/** Whether what stands under a key depends on who asked. */
export function isOwn({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey.includes(OWN)
}
