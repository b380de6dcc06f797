import type { PageMatch } from '@/lib/pages'
import { ComingPage } from '../pages/coming-page'

/** What owners of servers do. */
export function OwnerArea({ match: { key } }: { match: PageMatch }) {
  return <ComingPage page={key} />
}
