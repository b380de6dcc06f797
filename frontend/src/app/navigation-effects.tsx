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
  /** What is drawn. */
  shown: Location
  queries: QueryClient
}

export function NavigationEffects({ first, shown, queries }: NavigationEffectsProps) {
  const { pathname, search } = useLocation()
  useEffect(() => noteVisit(pathname + search), [pathname, search])
  useWarmUp(queries)
  useScroll(shown, first)
  const arrived = useArrival(shown, first)
  return (
    <div role="status">
      <VisuallyHidden>{arrived}</VisuallyHidden>
    </div>
  )
}
