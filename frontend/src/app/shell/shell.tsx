import { Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { CrashBoundary } from '@/components/ui/crash-boundary'
import { currentToast, subscribeToToast } from '@/components/ui/toast-store'
import { closeAuthDialog, useAuthDialog } from '@/lib/session/auth-dialog'
import { closeReportDialog, useReportDialog } from '@/entities/report/dialog'
import { useSession } from '@/lib/session/session'
import { closeVoteDialog, useVoteDialog } from '@/entities/vote/dialog'
import { SessionToasts } from '@/features/auth/session-toasts'
import { FloatingWindow } from './floating-window'
import { Header } from './header'
import { OfflineNotice } from './offline-notice'
import { useLatch } from './use-latch'
import styles from './shell.module.css'

const Toaster = lazyComponent(async () => (await import('@/components/ui/toaster')).Toaster)
const AuthDialogHost = lazyComponent(async () => (await import('@/features/auth/auth-dialog-host')).AuthDialogHost)
const VoteDialogHost = lazyComponent(async () => (await import('@/features/vote/vote-dialog-host')).VoteDialogHost)
const ReportDialogHost = lazyComponent(
  async () => (await import('@/features/report/report-dialog-host')).ReportDialogHost,
)
/** For people who may own a server, and for administrators. */
const MemberWindows = lazyComponent(async () => (await import('./member-windows')).MemberWindows)
const Hints = lazyComponent(async () => (await import('./hints')).Hints)
const Footer = lazyComponent(async () => (await import('./footer')).Footer)

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  return (
    <>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <CrashBoundary fallback={nothing}>
        <Header />
      </CrashBoundary>
      <OfflineNotice />
      <main id="content" tabIndex={-1} className={styles.content}>
        {children}
      </main>
      <CrashBoundary fallback={nothing}>
        <Suspense fallback={<div className={styles.footer} />}>
          <Footer />
        </Suspense>
      </CrashBoundary>
      <Floating />
    </>
  )
}

/**
 * Dialogs and toasts; the code of each is fetched when it is first needed. Each has its own
 * Suspense boundary: a toast that is being fetched must not take the focus from a dialog.
 */
function Floating() {
  const toast = useSyncExternalStore(subscribeToToast, currentToast)
  const auth = useAuthDialog()
  const vote = useVoteDialog()
  const report = useReportDialog()
  const isMember = useLatch(useSession().user !== null)
  return (
    <>
      <SessionToasts />
      <CrashBoundary fallback={nothing} resetOn={toast}>
        <Suspense>{toast && <Toaster />}</Suspense>
      </CrashBoundary>
      <CrashBoundary fallback={nothing}>
        <Suspense>
          <Hints />
        </Suspense>
      </CrashBoundary>
      <FloatingWindow subject={auth} onCrash={closeAuthDialog}>
        <AuthDialogHost />
      </FloatingWindow>
      <FloatingWindow subject={vote} onCrash={closeVoteDialog}>
        <VoteDialogHost />
      </FloatingWindow>
      <FloatingWindow subject={report} onCrash={closeReportDialog}>
        <ReportDialogHost />
      </FloatingWindow>
      <Suspense>{isMember && <MemberWindows />}</Suspense>
    </>
  )
}

const nothing = () => null
