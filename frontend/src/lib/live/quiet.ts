/** When a page has no subscriptions: it is hidden, or its connection is slow. */
import { connection, isSlow } from '@/lib/browser/connection'

/** A tab that is hidden for a moment keeps its channels. */
const GRACE = 5_000

/** Whether the page should have no subscriptions now. */
export const isQuiet = (): boolean => document.hidden || isSlow()

/**
 * Reports each change: after a delay if quiet begins, at once if it ends. Returns a function that
 * stops it.
 */
export function followQuiet(onChange: (isQuiet: boolean) => void): () => void {
  let reported = isQuiet()
  let timer: number | undefined
  const tell = (): void => {
    if (isQuiet() === reported) return
    reported = !reported
    onChange(reported)
  }
  const note = (): void => {
    clearTimeout(timer)
    if (isQuiet()) timer = window.setTimeout(tell, GRACE)
    else tell()
  }
  const network = connection()
  document.addEventListener('visibilitychange', note)
  network?.addEventListener?.('change', note)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', note)
    network?.removeEventListener?.('change', note)
  }
}
