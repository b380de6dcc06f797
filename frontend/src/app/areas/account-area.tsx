import { pages } from 'virtual:pages/account'
import type { PageMatch } from '@/lib/routing/pages'
import { PageOf } from './page-part'

export { pages }

/** Pages of one account, and the ranking of voters. */
export function AccountArea({ match }: { match: PageMatch }) {
  return <PageOf pages={pages} match={match} />
}
