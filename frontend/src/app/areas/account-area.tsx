import { pages } from 'virtual:pages/account'
import type { PageMatch } from '@/lib/routing/pages'
import { PageOf } from './page-part'

export { pages }

/** What belongs to one person, and where they stand among the others. */
export function AccountArea({ match }: { match: PageMatch }) {
  return <PageOf pages={pages} match={match} />
}
