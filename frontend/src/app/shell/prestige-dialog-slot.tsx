import { useQuery } from '@tanstack/react-query'
import { PrestigeDialogHost } from '@/features/prestige/prestige-dialog-host'
import { siteSettingsQuery } from '@/entities/setting/queries'
import { saleTermsOf } from '@/entities/price/sale-terms'

/** The dialog with the terms it sells on. */
export function PrestigeDialogSlot() {
  const { data, isPending } = useQuery(siteSettingsQuery())
  // Terms that change under the reader's eyes are none.
  if (isPending) return null
  return <PrestigeDialogHost terms={saleTermsOf(data)} />
}
