/** When a page listens to nothing: nobody sees it, or its connection has better things to carry. */
import { connection, isSlow } from '@/lib/browser/connection'

/** A tab that is left for a moment keeps its channels. */
const GRACE = 5_000

/** Whether the page is to be quiet now. */
export const isQuiet = (): boolean => document.hidden || isSlow()

/** Tells of each change: of quiet after a while, of its end at once. Returns how to stop. */
export function followQuiet(onChange: (isQuiet: boolean) => void): () => void {
  let told = isQuiet()
  let timer: number | undefined
  const tell = (): void => {
    if (isQuiet() === told) return
    told = !told
    onChange(told)
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
