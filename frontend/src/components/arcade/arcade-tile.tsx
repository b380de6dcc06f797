import type { ReactNode } from 'react'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { Picture } from '@/components/ui/picture'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import styles from './arcade-tile.module.css'

interface ArcadeTileProps {
  picture: string
  /** The advertised server: its name, and short facts about it. */
  words?: { name: string; facts: readonly ReactNode[] } | null
  /** The link of the tile, with its label; without it the tile is no link. */
  website?: { address: string; label: string } | null
  /** A text over the tile, while it cannot be opened. */
  overlay?: string | null
  /** Grayed and blurred. */
  suspended?: boolean
  /** The spot is running: its border is animated. */
  active?: boolean
}

/** An Arcade spot as the home page shows it. */
export function ArcadeTile({ picture, words, website, overlay, suspended = false, active = false }: ArcadeTileProps) {
  const className = classes(styles.tile, suspended && styles.suspended, active && styles.active)
  const inside = (
    <>
      <Picture src={picture} width={512} height={128} lazy />
      {words && (
        <span className={styles.words}>
          <span className={styles.name}>{words.name}</span>
          <span className={styles.facts}>
            {words.facts.map((fact, place) => (
              <span key={place}>{fact}</span>
            ))}
          </span>
        </span>
      )}
    </>
  )
  if (website)
    return (
      <a href={website.address} target="_blank" rel="sponsored noopener noreferrer" className={className}>
        {inside} <VisuallyHidden>{website.label}</VisuallyHidden>
        <span className={styles.leave}>
          <Icon name="external" size={16} />
        </span>
      </a>
    )
  return (
    <div className={className}>
      {inside}
      {overlay && <span className={styles.overlay}>{overlay}</span>}
    </div>
  )
}
