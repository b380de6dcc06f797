import { Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n'
import { lazyNamed } from '@/lib/lazy'
import { CrashBoundary } from '@/components/ui/crash-boundary'
import { currentToast, showToast, subscribeToToast } from '@/components/ui/toast-store'
import { closeAuthDialog, useAuthDialog } from '@/lib/auth-dialog'
import { closeReportDialog, useReportDialog } from '@/lib/report-dialog'
import { closeVoteDialog, useVoteDialog } from '@/lib/vote-dialog'
import { useTooltipTarget } from '@/components/ui/use-tooltip-target'
import { SessionToasts } from '@/features/auth/session-toasts'
import { Footer } from './footer'
import { Header } from './header'
import { OfflineNotice } from './offline-notice'
import styles from './shell.module.css'

const Toaster = lazyNamed(async () => (await import('@/components/ui/toaster')).Toaster)
const AuthDialogHost = lazyNamed(async () => (await import('@/features/auth/auth-dialog-host')).AuthDialogHost)
const VoteDialogHost = lazyNamed(async () => (await import('@/features/vote/vote-dialog-host')).VoteDialogHost)
const ReportDialogHost = lazyNamed(async () => (await import('@/features/report/report-dialog-host')).ReportDialogHost)
const Tooltip = lazyNamed(async () => (await import('@/components/ui/tooltip')).Tooltip)

/** What stands around every page. */
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
        <Footer />
      </CrashBoundary>
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
  const auth = useAuthDialog()
  const vote = useVoteDialog()
  const report = useReportDialog()
  return (
    <>
      <SessionToasts />
      <CrashBoundary fallback={nothing} resetOn={toast}>
        <Suspense>{toast && <Toaster />}</Suspense>
      </CrashBoundary>
      <CrashBoundary fallback={nothing}>
        <Suspense>{hints && <Tooltip target={explained} />}</Suspense>
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
    </>
  )
}

const nothing = () => null

interface FloatingWindowProps {
  /** What the window is about; null while it is closed. */
  subject: unknown
  /** Closes it, so that it can be opened anew. */
  onCrash: () => void
  children: ReactNode
}

function FloatingWindow({ subject, onCrash, children }: FloatingWindowProps) {
  const wanted = useOnce(subject !== null)
  return (
    <CrashBoundary fallback={() => <WindowCrash onCrash={onCrash} />} resetOn={subject}>
      <Suspense>{wanted && children}</Suspense>
    </CrashBoundary>
  )
}

function WindowCrash({ onCrash }: { onCrash: () => void }) {
  const { t } = useTranslation('ui')
  useEffect(() => {
    showToast({ tone: 'danger', title: t('windowCrashed.title'), description: t('windowCrashed.text') })
    onCrash()
  }, [t, onCrash])
  return null
}

/** True from the first time on, so that what was opened can also close gracefully. */
function useOnce(now: boolean): boolean {
  const [once, setOnce] = useState(now)
  if (now && !once) setOnce(true)
  return once || now
}
