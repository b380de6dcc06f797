/**
 * What the connection and the reader's wish for stillness mean for the page, as attributes of the document that style
 * sheets look at; followed as they change. Fetched after the page is drawn. On a slow connection nothing moves; that
 * nothing is fetched ahead of being asked for, and pictures at one size, ask `lib/browser/connection` themselves.
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
