import { useState } from 'react'
import styles from './server-logo.module.css'

/** A server's picture, or its first letter when there is none or it does not load. `size` in pixels. */
export function ServerLogo({ src, name, size }: { src: string | null | undefined; name: string; size: number }) {
  const [failed, setFailed] = useState<string | null>(null)
  const shown = src && failed !== src ? src : null
  return (
    <span className={styles.logo} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden="true">
      {shown ? (
        <img
          src={shown}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(shown)}
        />
      ) : (
        [...name.trim()][0]?.toUpperCase()
      )}
    </span>
  )
}
