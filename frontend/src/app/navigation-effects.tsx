/**
 * Effects that matter only after the first navigation: scroll position, announcements, prefetching,
 * the way back.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, type Location } from 'react-router'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { noteVisit } from '@/lib/routing/scroll-history'
import { useArrival } from './use-arrival'
import { useScroll } from './use-scroll'
import { useWarmUp } from './use-warm-up'

interface NavigationEffectsProps {
  /**
   * The location where the visit began. This module is fetched after the first page is there, and
   * the reader may have navigated before.
   */
  first: Location
  /** The state of the first entry in the tab's history. */
  firstEntry: unknown
  /** The location that is drawn. */
  currentLocation: Location
  queries: QueryClient
}

export function NavigationEffects({ first, firstEntry, currentLocation, queries }: NavigationEffectsProps) {
  const { pathname, search } = useLocation()
  useEffect(() => noteVisit(first.pathname + first.search, firstEntry), [first, firstEntry])
  useEffect(() => noteVisit(pathname + search, window.history.state), [pathname, search])
  useWarmUp(queries)
  useScroll(currentLocation, first)
  const arrived = useArrival(currentLocation, first)
  return (
    <div role="status">
      <VisuallyHidden>{arrived}</VisuallyHidden>
    </div>
  )
}
