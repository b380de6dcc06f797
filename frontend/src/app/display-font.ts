/**
 * The typeface of headings. A first visit is drawn in one family, with a fallback of the same
 * metrics for headings. It fetches the heading font after the page has been shown for a while,
 * because the font causes a new layout of every text. Later visits have the font in the browser's
 * cache and use it from the beginning.
 */
import { isSlow } from '@/lib/browser/connection'
import { readStored, writeStored } from '@/lib/browser/stored'

const FETCHED = 'palmares.display-font'

/**
 * Called at the start, and again some time after the page is drawn. Without the font headings keep
 * the fallback.
 */
export function showDisplayFont(isDrawn: boolean): void {
  if (isDrawn ? isSlow() : readStored(FETCHED) === null) return
  import('@/styles/display-font.css').then(() => writeStored(FETCHED, 'yes')).catch(() => {})
}
