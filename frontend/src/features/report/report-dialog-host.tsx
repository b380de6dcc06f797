/**
 * The report dialog; the app mounts it when it is first opened. It closes while a person signs in,
 * and opens again afterwards.
 */
import { useTranslation } from '@/lib/i18n/i18n'
import { Dialog } from '@/components/ui/dialog'
import { closeReportDialog, useReportDialog } from '@/entities/report/dialog'
import { useWaitsForSignIn } from '@/lib/session/use-waits-for-sign-in'
import { ReportForm } from './components/report-form'

export function ReportDialogHost() {
  const { t } = useTranslation('report')
  const target = useReportDialog()
  const user = useWaitsForSignIn(target !== null, closeReportDialog)
  if (target === null || user === null) return null
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeReportDialog()}
      title={t(`title.${target.kind}`, { name: target.name })}
      description={t('intro')}
    >
      <ReportForm key={target.id} target={target} reporterId={user.id} />
    </Dialog>
  )
}
