/** Applies a change to the cache before the server has answered, and reverts it if refused. */
import type { MutationFunctionContext, QueryKey } from '@tanstack/react-query'

/** The former value; absent if nothing was cached. */
interface Snapshot<Rows> {
  rows: Rows | undefined
}

/**
 * Callbacks for a mutation: `change` is applied at once to the rows cached under the key, and
 * reverted on refusal. The mutation's `invalidates` must include the same key, so that the stored
 * result is read afterwards.
 */
export function optimistically<Rows, Variables>(
  keyOf: (variables: Variables) => QueryKey,
  change: (rows: Rows, variables: Variables) => Rows,
) {
  return {
    async onMutate(variables: Variables, { client }: MutationFunctionContext): Promise<Snapshot<Rows>> {
      const queryKey = keyOf(variables)
      // A fetch in progress would restore the old rows.
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
