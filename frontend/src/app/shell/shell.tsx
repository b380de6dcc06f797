import { lazy, Suspense, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n'
import { currentToast, subscribeToToast } from '@/components/ui/toast-store'
import { useTooltipTarget } from '@/components/ui/use-tooltip-target'
import { useAuthDialog } from '@/lib/auth-dialog'
import { useReportDialog } from '@/lib/report-dialog'
import { useVoteDialog } from '@/lib/vote-dialog'
import { SessionToasts } from '@/features/auth/session-toasts'
import { Footer } from './footer'
import { Header } from './header'
import { OfflineNotice } from './offline-notice'
import styles from './shell.module.css'

const Toaster = lazy(async () => ({ default: (await import('@/components/ui/toaster')).Toaster }))
const Tooltip = lazy(async () => ({ default: (await import('@/components/ui/tooltip')).Tooltip }))
const AuthDialogHost = lazy(async () => ({
  default: (await import('@/features/auth/auth-dialog-host')).AuthDialogHost,
}))
const VoteDialogHost = lazy(async () => ({
  default: (await import('@/features/vote/vote-dialog-host')).VoteDialogHost,
}))
const ReportDialogHost = lazy(async () => ({
  default: (await import('@/features/report/report-dialog-host')).ReportDialogHost,
}))

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  return (
    <>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <Header />
      <OfflineNotice />
      <main id="content" tabIndex={-1} className={styles.content}>
        {children}
      </main>
      <Footer />
      <Floating />
    </>
  )
}

/**
 * Dialogs and messages; their code is fetched when the first of each is wanted. Each waits for its own: a message that
 * is still being fetched must not take a dialog's focus away.
 */
function Floating() {
  const toast = useSyncExternalStore(subscribeToToast, currentToast)
  const explained = useTooltipTarget()
  const hints = useOnce(explained !== null)
  const auth = useOnce(useAuthDialog() !== null)
  const vote = useOnce(useVoteDialog() !== null)
  const report = useOnce(useReportDialog() !== null)
  return (
    <>
      <SessionToasts />
      <Suspense>{toast && <Toaster />}</Suspense>
      <Suspense>{hints && <Tooltip target={explained} />}</Suspense>
      <Suspense>{auth && <AuthDialogHost />}</Suspense>
      <Suspense>{vote && <VoteDialogHost />}</Suspense>
      <Suspense>{report && <ReportDialogHost />}</Suspense>
    </>
  )
}

/** True from the first time on, so that what was opened can also close gracefully. */
function useOnce(now: boolean): boolean {
  const [once, setOnce] = useState(now)
  if (now && !once) setOnce(true)
  return once || now
}
