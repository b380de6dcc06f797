import { AddServerPage as Page } from '@/features/own-server/add-page'
import { CardPreview } from '../areas/card-preview-slot'
import { TagProposals } from './tag-proposals'

export function AddServerPage() {
  return (
    <>
      <Page preview={(draft) => <CardPreview draft={draft} />} />
      <TagProposals />
    </>
  )
}
