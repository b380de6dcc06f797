import { Picture } from '@/components/ui/picture'
import type { ServerDetail } from '../api/server'
import styles from './backdrop.module.css'

/**
 * The background of the page: the owner's banner with Prestige, and the game's backdrop, fading
 * out.
 */
export function Backdrop({ server }: { server: ServerDetail }) {
  const backdrop = server.backdrop_url ?? server.games.backdrop_url
  const banner = server.is_prestige ? server.banner_image_url : null
  return (
    <div className={styles.scene} aria-hidden="true">
      {backdrop && (
        <div className={styles.backdrop}>
          <Picture src={backdrop} fetchPriority="low" />
        </div>
      )}
      <Picture className={styles.banner} src={banner} width={1200} height={400} />
    </div>
  )
}
