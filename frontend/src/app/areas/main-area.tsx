import { pages } from 'virtual:pages/main'
import type { PageMatch } from '@/lib/routing/pages'
import { PageOf } from './page-part'

export { pages }

/** The pages everybody comes for. Each frames itself. */
export function MainArea({ match }: { match: PageMatch }) {
  return <PageOf pages={pages} match={match} />
}
