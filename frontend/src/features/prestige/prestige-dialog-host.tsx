/** The dialog that sells Prestige; the app mounts it when an owner first opens it. */
import { Dialog } from '@/components/ui/dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { closePrestigeDialog, usePrestigeDialog } from '@/entities/prestige/dialog'
import type { SaleTerms } from '@/entities/price/sale-terms'
import { useWaitsForSignIn } from '@/lib/session/use-waits-for-sign-in'
import { PrestigeForm } from './components/prestige-form'

export function PrestigeDialogHost({ terms }: { terms: SaleTerms }) {
  const { t } = useTranslation('prestige')
  const target = usePrestigeDialog()
  const user = useWaitsForSignIn(target !== null, closePrestigeDialog)
  if (target === null || user === null) return null
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && closePrestigeDialog()}
      title={t('title', { server: target.name })}
      description={t('intro')}
    >
      <PrestigeForm key={target.id} target={target} terms={terms} />
    </Dialog>
  )
}
