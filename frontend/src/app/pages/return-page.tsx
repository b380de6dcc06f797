import { ReturnPage as Page } from '@/features/payments/return-page'
import type { PageMatch } from '@/lib/routing/pages'

export function ReturnPage({ match: { key } }: { match: PageMatch }) {
  return <Page kind={key === 'prestigeSuccess' ? 'prestige' : 'arcade'} />
}
