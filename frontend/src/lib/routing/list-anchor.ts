/**
 * The anchor of the ranking: the fragment in bookmarked addresses, and a function that scrolls to
 * it.
 */
import type { MouseEvent } from 'react'

export const LIST_ID = 'server-list'

/**
 * Scrolls the top of the list into view, for links that change its state. They have no fragment: a
 * fragment in the address would override the scroll position that Back restores.
 */
export function showList(event?: MouseEvent): void {
  const aside = event !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (!aside) document.getElementById(LIST_ID)?.scrollIntoView()
}
