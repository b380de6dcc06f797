import type { PageMatch } from '@/lib/pages'
import { ComingPage } from '../pages/coming-page'

/** What those who run the site do. */
export function AdminArea({ match: { key } }: { match: PageMatch }) {
  return <ComingPage page={key} />
}
