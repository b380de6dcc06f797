/** The report dialog, mounted by the app once somebody asked for it. Whoever is signed out is asked to sign in instead. */
import { useTranslation } from '@/lib/i18n'
import { Dialog } from '@/components/ui/dialog'
import { closeReportDialog, useReportDialog } from '@/lib/report-dialog'
import { useSession } from '@/lib/session'
import { ReportForm } from './components/report-form'

export function ReportDialogHost() {
  const { t } = useTranslation('report')
  const target = useReportDialog()
  const { user } = useSession()
  if (target === null || user === null) return null
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeReportDialog()}
      title={t(`title.${target.kind}`, { name: target.name })}
      description={t('intro')}
    >
      <ReportForm target={target} reporterId={user.id} />
    </Dialog>
  )
}
