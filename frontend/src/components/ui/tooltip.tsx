import { Tooltip as Base } from '@base-ui/react/tooltip'
import styles from './tooltip.module.css'

/**
 * Draws the hint of an element (its `data-tooltip`). Visual only: the element has an accessible
 * name of its own. Mounted once in the shell, and fetched with the first hint.
 */
export function Tooltip({ target }: { target: HTMLElement | null }) {
  return (
    <Base.Root open={target !== null}>
      <Base.Portal>
        <Base.Positioner anchor={target} sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.tooltip} aria-hidden="true">
            {target?.dataset.tooltip}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
