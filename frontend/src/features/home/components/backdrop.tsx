import { useState } from 'react'
import { classes } from '@/components/ui/classes'
import styles from './backdrop.module.css'

/** The picture behind the top of the page. A new one fades in over the old one once it has loaded. */
export function Backdrop({ src }: { src: string }) {
  const [layers, setLayers] = useState<readonly string[]>([src])
  const [loaded, setLoaded] = useState<string | null>(null)
  if (layers.at(-1) !== src) setLayers([...layers.slice(-1), src])
  return (
    <div className={styles.backdrop} aria-hidden="true">
      {layers.map((layer) => (
        <img
          key={layer}
          src={layer}
          alt=""
          fetchPriority="low"
          decoding="async"
          className={classes(styles.picture, (layer !== src || loaded === src) && styles.shown)}
          onLoad={() => setLoaded(layer)}
        />
      ))}
    </div>
  )
}
