/** Where the ranking stands on the page: the fragment of kept addresses, and the way to it from another part. */
import type { MouseEvent } from 'react'

export const LIST_ID = 'server-list'

/**
 * Brings the top of the list into view, for links that change what it shows. They carry no fragment: a fragment in the
 * address would win over the place that going back restores.
 */
export function showList(event?: MouseEvent): void {
  const aside = event !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (!aside) document.getElementById(LIST_ID)?.scrollIntoView()
}
