/** Shows what a change will do before the server has said so, and takes it back when it is refused. */
import type { MutationFunctionContext, QueryKey } from '@tanstack/react-query'

/** What was there before; absent where nothing was cached. */
interface Snapshot<Rows> {
  rows: Rows | undefined
}

/**
 * Callbacks for a mutation: `change` is applied at once to the rows cached under the key, and undone on refusal.
 * The mutation's `invalidates` must name the same key, so that what the server made of it is read in the end.
 */
export function optimistically<Rows, Variables>(
  keyOf: (variables: Variables) => QueryKey,
  change: (rows: Rows, variables: Variables) => Rows,
) {
  return {
    async onMutate(variables: Variables, { client }: MutationFunctionContext): Promise<Snapshot<Rows>> {
      const queryKey = keyOf(variables)
      // A reading under way would bring the old rows back.
      await client.cancelQueries({ queryKey })
      const rows = client.getQueryData<Rows>(queryKey)
      if (rows !== undefined) client.setQueryData<Rows>(queryKey, change(rows, variables))
      return { rows }
    },
    onError(
      _error: Error,
      variables: Variables,
      before: Snapshot<Rows> | undefined,
      { client }: MutationFunctionContext,
    ) {
      if (before?.rows !== undefined) client.setQueryData<Rows>(keyOf(variables), before.rows)
    },
  }
}
