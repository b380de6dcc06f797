/**
 * Asks before unsaved changes are lost: by a link, by Back, by closing the dialog around the form,
 * by closing the tab. Navigation by code (`navigate` after a save) is not asked about.
 */
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

export interface LeaveState {
  /** The question is open. */
  asking: boolean
  stay: () => void
  leave: () => void
  /** The next navigation is intended: no question until the form changes again. */
  release: () => void
  /** Asks before another action; null while there are no unsaved changes. */
  ask: ((go: Navigation) => void) | null
}

type Navigation = () => void

/**
 * Set by the dialog around a form, which calls it with its question while it has unsaved changes.
 */
export const LeaveScope = createContext<((ask: ((go: Navigation) => void) | null) => void) | null>(null)

function placeInHistory(): number {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' ? state.idx : 0
}

/** The address to which a click leads, if it leaves this page in this tab. */
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
    // The browser has already gone back when it sends this event: the entry is restored before the
    // router handles the event.
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

/**
 * Registers the form's question with the dialog around it. Called inside the dialog, because the
 * form may be created outside.
 */
export function useWindowQuestion({ ask }: LeaveState): void {
  const tellWindow = use(LeaveScope)
  useEffect(() => {
    tellWindow?.(ask)
    return () => tellWindow?.(null)
  }, [tellWindow, ask])
}
