/**
 * A small panel opened by a button: the browser's own popover, so Escape, a click outside and the top layer are its
 * business. Only the place on the screen is ours.
 */
import { useCallback, useId, useRef, useState, type ReactNode } from 'react'
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

export function Popover({ trigger, label, align = 'end', className, children }: PopoverProps) {
  const id = useId()
  const frame = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)

  function place(): void {
    const button = frame.current?.querySelector('button')?.getBoundingClientRect()
    if (!button || !panel.current) return
    const style = panel.current.style
    style.top = `${button.bottom + 8}px`
    const edge = document.documentElement.clientWidth
    style.left = align === 'start' ? `${Math.max(16, button.left)}px` : 'auto'
    style.right = align === 'end' ? `${Math.max(16, edge - button.right)}px` : 'auto'
  }

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
