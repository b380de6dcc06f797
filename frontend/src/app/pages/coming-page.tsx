import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import type { PageKey } from '@/lib/pages'
import { PageFrame } from '../page-frame'
import { usePageHead } from '../use-page-head'

export function ComingPage({ page }: { page: PageKey }) {
  usePageHead(page)
  return (
    <PageFrame page={page}>
      <ComingSoonPage page={page} />
    </PageFrame>
  )
}
