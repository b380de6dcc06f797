import { Picture } from './picture'
import styles from './server-logo.module.css'

/**
 * A server's logo, or its first letter when there is no logo or it does not load. `size` is in
 * pixels.
 */
export function ServerLogo({ src, name, size }: { src: string | null | undefined; name: string; size: number }) {
  return (
    <span className={styles.logo} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden="true">
      <Picture src={src} width={size} height={size} lazy fallback={[...name.trim()][0]?.toUpperCase()} />
    </span>
  )
}
