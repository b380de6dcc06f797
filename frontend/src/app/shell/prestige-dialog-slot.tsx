import { useQuery } from '@tanstack/react-query'
import { PrestigeDialogHost } from '@/features/prestige/prestige-dialog-host'
import { siteSettingsQuery } from '@/entities/setting/queries'
import { saleTermsOf } from '@/entities/price/sale-terms'

/** The dialog that sells Prestige, with its current terms. */
export function PrestigeDialogSlot() {
  const { data, isPending } = useQuery(siteSettingsQuery())
  // The terms must not change while they are read, so the dialog waits for the current ones.
  if (isPending) return null
  return <PrestigeDialogHost terms={saleTermsOf(data)} />
}
