/**
 * A small panel opened by a button: the browser's own popover, so Escape, a click outside and the top layer are its
 * business. Only the place on the screen is ours.
 */
import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { classes } from './classes'
import styles from './popover.module.css'

interface PopoverProps {
  /** Draws the button; spread what is given onto it. */
  trigger: (button: { popoverTarget: string; 'aria-expanded': boolean }) => ReactNode
  /** What the panel is, where its content does not say. */
  label?: string
  align?: 'start' | 'end'
  className?: string | undefined
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** Pixels between the button and its panel, and between the panel and the edge of the window. */
const GAP = 8
/** With this much room below its button a panel opens there, whatever is above. */
const ENOUGH = 360

export function Popover({ trigger, label, align = 'end', className, children }: PopoverProps) {
  const id = useId()
  const frame = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)

  const place = useCallback(() => {
    const button = frame.current?.querySelector('button')?.getBoundingClientRect()
    if (!button || !panel.current) return
    const style = panel.current.style
    const { clientWidth: edge, clientHeight: floor } = document.documentElement
    // Below the button, or above it where there is more room; never longer than the room.
    const rooms = { below: floor - button.bottom - 2 * GAP, above: button.top - 2 * GAP }
    const up = rooms.below < ENOUGH && rooms.above > rooms.below
    style.top = up ? 'auto' : `${button.bottom + GAP}px`
    style.bottom = up ? `${floor - button.top + GAP}px` : 'auto'
    style.maxHeight = `min(30rem, ${Math.floor(up ? rooms.above : rooms.below)}px)`
    style.left = align === 'start' ? `${Math.max(16, button.left)}px` : 'auto'
    style.right = align === 'end' ? `${Math.max(16, edge - button.right)}px` : 'auto'
  }, [align])

  // It stays with its button while the page moves under it.
  useEffect(() => {
    if (!open) return
    window.addEventListener('scroll', place, { passive: true })
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place)
      window.removeEventListener('resize', place)
    }
  }, [open, place])

  const close = useCallback(() => panel.current?.hidePopover(), [])
  return (
    <span ref={frame} style={{ display: 'contents' }}>
      {trigger({ popoverTarget: id, 'aria-expanded': open })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={label ? 'group' : undefined}
        aria-label={label}
        className={classes(styles.panel, className)}
        onBeforeToggle={(event) => {
          if (event.newState !== 'open') return
          place()
          setOpen(true)
        }}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {/* Drawn when first wanted: most panels never are. */}
        {wanted && (typeof children === 'function' ? children(close) : children)}
      </div>
    </span>
  )
}
