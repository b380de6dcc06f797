/** The report dialog, mounted by the app once somebody asked for it; waits while that somebody signs in, once more too. */
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Dialog } from '@/components/ui/dialog'
import { openAuthDialog, useAuthDialog } from '@/lib/auth-dialog'
import { closeReportDialog, useReportDialog } from '@/lib/report-dialog'
import { useSession } from '@/lib/session'
import { ReportForm } from './components/report-form'

export function ReportDialogHost() {
  const { t } = useTranslation('report')
  const target = useReportDialog()
  const { user, status } = useSession()
  const isSigningIn = useAuthDialog() !== null
  // Who does not sign in after all has not asked: the dialog must not appear some other day.
  const isGivenUp = target !== null && status === 'out' && !isSigningIn
  const isOpen = target !== null && user !== null
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) wasOpen.current = true
    if (!isGivenUp) return
    // The session ended over what was being written: it waits behind the sign-in, which may be closed.
    if (wasOpen.current) openAuthDialog('signIn')
    else closeReportDialog()
    wasOpen.current = false
  }, [isOpen, isGivenUp])
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
