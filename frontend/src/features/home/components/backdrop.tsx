import { useState } from 'react'
import { Picture } from '@/components/ui/picture'
import styles from './backdrop.module.css'

/**
 * The picture behind the top of the page. A new one fades in over the old one once it has loaded;
 * the first is shown at once if the server's HTML had it already.
 */
export function Backdrop({ src }: { src: string }) {
  const [layers, setLayers] = useState<readonly string[]>([src])
  const [loaded, setLoaded] = useState(src)
  if (layers.at(-1) !== src) setLayers([...layers.slice(-1), src])
  return (
    <div className={styles.backdrop} aria-hidden="true">
      {layers.map((layer) => (
        <Picture
          key={layer}
          src={layer}
          fetchPriority="low"
          className={layer === src && loaded !== src ? styles.coming : undefined}
          onLoad={() => setLoaded(layer)}
        />
      ))}
    </div>
  )
}
