/** What only matters once a reader moves on: where pages are scrolled to, what is announced, what is fetched ahead, which way was come. */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, type Location } from 'react-router'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { noteVisit } from '@/lib/routing/scroll-history'
import { useArrival } from './use-arrival'
import { useScroll } from './use-scroll'
import { useWarmUp } from './use-warm-up'

/** `shown` is what is drawn. Fetched once the first page is there. */
export function NavigationEffects({ shown, queries }: { shown: Location; queries: QueryClient }) {
  const { pathname, search } = useLocation()
  useEffect(() => noteVisit(pathname + search), [pathname, search])
  useWarmUp(queries)
  useScroll(shown)
  const arrived = useArrival(shown)
  return (
    <div role="status">
      <VisuallyHidden>{arrived}</VisuallyHidden>
    </div>
  )
}
