import { Popover as Base } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'
import { classes } from './classes'
import styles from './popover.module.css'

interface PopoverPanelProps {
  id: string
  label: string
  align: 'start' | 'end'
  below: boolean
  className: string | undefined
  open: boolean
  onClose: () => void
  button: RefObject<HTMLButtonElement | null>
  children: ReactNode
}

/**
 * The panel of a `Popover`: beside its button, closed by Escape or a press elsewhere, with the
 * focus inside and back on the button afterwards.
 */
export function PopoverPanel(props: PopoverPanelProps) {
  const { id, label, align, below, className, open, onClose, button, children } = props
  function change(next: boolean, details: Base.Root.ChangeEventDetails): void {
    // The button itself closes the panel, so a press on it is ignored here.
    const target = details.event.target
    const onButton = target instanceof Node && button.current?.contains(target)
    if (details.reason === 'outside-press' && onButton) details.cancel()
    else if (!next) onClose()
  }
  return (
    <Base.Root open={open} onOpenChange={change}>
      <Base.Portal>
        <Base.Positioner
          anchor={button}
          align={align}
          sideOffset={8}
          collisionPadding={16}
          collisionAvoidance={below ? { side: 'none' } : undefined}
          className={styles.positioner}
        >
          <Base.Popup id={id} aria-label={label} finalFocus={button} className={classes(styles.panel, className)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
