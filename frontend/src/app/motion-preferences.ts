/**
 * Sets attributes of the document for slow connections and reduced motion, which style sheets
 * select on, and keeps them current. Fetched after the page is drawn. On a slow connection nothing
 * is animated; code that prefetches or chooses image sizes asks `lib/browser/connection` itself.
 */
import { connection, connectionOf } from '@/lib/browser/connection'

const STILLNESS = matchMedia('(prefers-reduced-motion: reduce)')

export function followMotionPreferences(root: HTMLElement = document.documentElement): void {
  const network = connection()
  const note = (): void => {
    const quality = connectionOf(network)
    root.dataset.connection = quality
    if (quality === 'slow' || STILLNESS.matches) root.dataset.motion = 'reduced'
    else delete root.dataset.motion
  }
  note()
  STILLNESS.addEventListener('change', note)
  network?.addEventListener?.('change', note)
}
