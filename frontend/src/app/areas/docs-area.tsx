import type { PageMatch } from '@/lib/pages'
import { ComingPage } from '../pages/coming-page'

/** What is to be read. */
export function DocsArea({ match: { key } }: { match: PageMatch }) {
  return <ComingPage page={key} />
}
