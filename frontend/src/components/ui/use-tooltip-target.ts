/**
 * The element whose hint is shown: the one on which the mouse rests, or that the keyboard focused.
 */
import { useEffect, useState } from 'react'

/** Milliseconds of rest before a hint shows; keyboard focus shows it at once. */
const REST = 500

/** The element whose `data-tooltip` is to be shown; null for none. */
export function useTooltipTarget(): HTMLElement | null {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const ends = new AbortController()
    let waiting: ReturnType<typeof setTimeout> | undefined
    function want(element: HTMLElement | null, after: number): void {
      clearTimeout(waiting)
      if (element === null || after === 0) setTarget(element)
      else waiting = setTimeout(() => setTarget(element), after)
    }
    const on = <Name extends keyof DocumentEventMap>(name: Name, act: (event: DocumentEventMap[Name]) => void) =>
      document.addEventListener(name, act, { signal: ends.signal, passive: true })
    on('pointerover', (event) => event.pointerType === 'mouse' && want(explained(event.target), REST))
    on('focusin', (event) => {
      const element = explained(event.target)
      if (element?.matches(':focus-visible')) want(element, 0)
    })
    on('focusout', () => want(null, 0))
    on('pointerdown', () => want(null, 0))
    on('keydown', (event) => event.key === 'Escape' && want(null, 0))
    return () => {
      clearTimeout(waiting)
      ends.abort()
    }
  }, [])
  return target
}

function explained(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
}
