/**
 * The typeface of headings. A first visit is drawn in one family, with a stand-in of the same measures for headings. It
 * fetches theirs when the page has been there for a while, because every text is laid out anew with it. Later visits have
 * it in the browser's cache and show it from the beginning.
 */
import { isSlow } from '@/lib/browser/connection'
import { readStored, writeStored } from '@/lib/browser/stored'

const FETCHED = 'palmares.display-font'

/** Called at the start, and again when the page has long been drawn. Without it headings keep the stand-in. */
export function showDisplayFont(isDrawn: boolean): void {
  if (isDrawn ? isSlow() : readStored(FETCHED) === null) return
  import('@/styles/display-font.css').then(() => writeStored(FETCHED, 'yes')).catch(() => {})
}
