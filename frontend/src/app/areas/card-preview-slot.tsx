import { Suspense } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import type { CardDraft } from '@/features/own-server/model/card-draft'
import { lazyComponent } from '@/lib/browser/lazy'

const Preview = lazyComponent(async () => (await import('./card-preview')).CardPreview)

/** The ranking's own card as a preview in a form; its code is fetched after the form's. */
export function CardPreview({ draft }: { draft: CardDraft }) {
  return (
    <Suspense fallback={<Skeleton height="11rem" radius="var(--radius-lg)" />}>
      <Preview draft={draft} />
    </Suspense>
  )
}
