/**
 * A small panel opened by a button. This module has only the button: the panel is fetched when the
 * button is hovered or focused, because it is larger than the pages that have one.
 */
import { Suspense, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { lazyComponent, loadWithRetry } from '@/lib/browser/lazy'

const load = () => import('./popover-panel')
const PopoverPanel = lazyComponent(async () => (await load()).PopoverPanel)

interface PopoverProps {
  /** Renders the button; spread the argument onto it. */
  trigger: (button: PopoverTrigger) => ReactNode
  /** The accessible name of the panel. */
  label: string
  align?: 'start' | 'end'
  /** Always below its button: it is as high as the room there. */
  below?: boolean
  className?: string | undefined
  children: ReactNode | ((close: () => void) => ReactNode)
}

interface PopoverTrigger {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
}

export function Popover({ trigger, label, align = 'end', below = false, className, children }: PopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  // Mounted when first opened: most panels never are.
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const open = state === 'open'
  const close = () => setState('closed')
  const warm = () => void loadWithRetry(load)
  return (
    <>
      {trigger({
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => setState(open ? 'closed' : 'open'),
        onPointerEnter: warm,
        onFocus: warm,
      })}
      {state !== 'never' && (
        <Suspense>
          <PopoverPanel {...{ id, label, align, below, className, open, button }} onClose={close}>
            {typeof children === 'function' ? children(close) : children}
          </PopoverPanel>
        </Suspense>
      )}
    </>
  )
}
