import { useRef, type PointerEvent } from 'react'

/** Pixels to the right after which the element is dismissed; before, it moves back. */
const THRESHOLD = 50

/**
 * Follows a horizontal swipe to the right, and calls `onSwiped` when it went far enough. Spread the
 * result onto the element.
 */
export function useSwipe(onSwiped: () => void) {
  const from = useRef<number | null>(null)

  function move(element: HTMLElement, by: number): void {
    element.style.translate = by > 0 ? `${by}px 0` : ''
  }

  function end(event: PointerEvent<HTMLElement>): void {
    const far = from.current !== null && event.type === 'pointerup' && event.clientX - from.current > THRESHOLD
    from.current = null
    if (far) onSwiped()
    else move(event.currentTarget, 0)
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button'))) return
      from.current = event.clientX
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      if (from.current !== null) move(event.currentTarget, event.clientX - from.current)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
