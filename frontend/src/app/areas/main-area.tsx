import { pages } from 'virtual:pages/main'
import type { PageMatch } from '@/lib/routing/pages'
import { PageOf } from './page-part'

export { pages }

/** The public main pages. Each has its own frame. */
export function MainArea({ match }: { match: PageMatch }) {
  return <PageOf pages={pages} match={match} />
}
