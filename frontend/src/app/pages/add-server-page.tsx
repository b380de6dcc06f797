import { AddServerPage as Page } from '@/features/own-server/add-page'
import { CardPreview } from '../areas/card-preview-slot'

export function AddServerPage() {
  return <Page preview={(draft) => <CardPreview draft={draft} />} />
}
