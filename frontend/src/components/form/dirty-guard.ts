/**
 * Asks before unsaved changes are left: by a link, by Back, by closing the window around the form, by closing the tab.
 * What code does of its own accord (`navigate` after a save) is not asked about.
 */
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

export interface LeaveState {
  /** The question stands. */
  asking: boolean
  stay: () => void
  leave: () => void
  /** What comes next is meant: no question until the form changes again. */
  release: () => void
  /** Asks before something else is done; null while there is nothing to lose. */
  ask: ((go: Navigation) => void) | null
}

type Navigation = () => void

/** Set by the window around a form, which puts its question here while it has something to lose. */
export const LeaveScope = createContext<((ask: ((go: Navigation) => void) | null) => void) | null>(null)

function placeInHistory(): number {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' ? state.idx : 0
}

/** The page a click leads to, when it leads away from here in this tab. */
function destinationOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || (link.target && link.target !== '_self') || link.download) return null
  const to = new URL(link.href, window.location.href)
  if (to.origin !== window.location.origin) return null
  const isHere = to.pathname === window.location.pathname && to.search === window.location.search
  return isHere ? null : to.pathname + to.search + to.hash
}

export function useDirtyGuard(active: boolean): LeaveState {
  const navigate = useNavigate()
  const [pending, setPending] = useState<{ go: Navigation } | null>(null)
  const released = useRef(false)

  useEffect(() => {
    if (!active) return
    released.current = false
    const place = placeInHistory()
    let returning = false

    function onUnload(event: BeforeUnloadEvent): void {
      if (!released.current) event.preventDefault()
    }
    function onClick(event: MouseEvent): void {
      const to = released.current ? null : destinationOf(event)
      if (to === null) return
      event.preventDefault()
      event.stopPropagation()
      setPending({ go: () => void navigate(to) })
    }
    // The browser has gone back already when it says so: it is sent forth again before the router hears of it.
    function onBack(event: PopStateEvent): void {
      if (released.current) return
      event.stopImmediatePropagation()
      if (returning) {
        returning = false
        return
      }
      const steps = placeInHistory() - place || -1
      returning = true
      window.history.go(-steps)
      setPending({ go: () => window.history.go(steps) })
    }

    window.addEventListener('beforeunload', onUnload)
    window.addEventListener('popstate', onBack, true)
    document.addEventListener('click', onClick, true)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      window.removeEventListener('popstate', onBack, true)
      document.removeEventListener('click', onClick, true)
    }
  }, [active, navigate])

  const ask = useCallback((go: Navigation) => (released.current ? go() : setPending({ go })), [])

  return {
    asking: pending !== null,
    stay: () => setPending(null),
    leave() {
      released.current = true
      setPending(null)
      pending?.go()
    },
    release() {
      released.current = true
    },
    ask: active ? ask : null,
  }
}

/** Gives the window around a form the form's question. It is for what stands in the window: the form may be made outside. */
export function useWindowQuestion({ ask }: LeaveState): void {
  const tellWindow = use(LeaveScope)
  useEffect(() => {
    tellWindow?.(ask)
    return () => tellWindow?.(null)
  }, [tellWindow, ask])
}
