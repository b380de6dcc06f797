import { Suspense } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import type { CardDraft } from '@/features/own-server/model/card-draft'
import { lazyComponent } from '@/lib/browser/lazy'

const Preview = lazyComponent(async () => (await import('./card-preview')).CardPreview)

/** The place of the ranking's own card in a form; the list's code comes behind the form's. */
export function CardPreview({ draft }: { draft: CardDraft }) {
  return (
    <Suspense fallback={<Skeleton height="11rem" radius="var(--radius-lg)" />}>
      <Preview draft={draft} />
    </Suspense>
  )
}
