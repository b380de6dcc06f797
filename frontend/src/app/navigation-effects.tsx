/** What only matters once a reader moves on: where pages are scrolled to, what is announced, what is fetched ahead, which way was come. */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, type Location } from 'react-router'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { noteVisit } from '@/lib/routing/scroll-history'
import { useArrival } from './use-arrival'
import { useScroll } from './use-scroll'
import { useWarmUp } from './use-warm-up'

interface NavigationEffectsProps {
  /** Where the visit began. This is fetched once the first page is there, and a reader may have gone on before. */
  first: Location
  /** The state of its entry in the tab's history. */
  firstEntry: unknown
  /** What is drawn. */
  shown: Location
  queries: QueryClient
}

export function NavigationEffects({ first, firstEntry, shown, queries }: NavigationEffectsProps) {
  const { pathname, search } = useLocation()
  useEffect(() => noteVisit(first.pathname + first.search, firstEntry), [first, firstEntry])
  useEffect(() => noteVisit(pathname + search, window.history.state), [pathname, search])
  useWarmUp(queries)
  useScroll(shown, first)
  const arrived = useArrival(shown, first)
  return (
    <div role="status">
      <VisuallyHidden>{arrived}</VisuallyHidden>
    </div>
  )
}
