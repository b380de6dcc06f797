import { Suspense, useEffect, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { CrashBoundary } from '@/components/ui/crash-boundary'
import { showToast } from '@/components/ui/toast-store'
import { useLatch } from './use-latch'

interface FloatingWindowProps {
  /** The subject of the window; null while it is closed. */
  subject: unknown
  /** Closes the window, so that it can be opened again. */
  onCrash: () => void
  children: ReactNode
}

/** A window whose code is fetched when it is first opened. A crash closes only the window. */
export function FloatingWindow({ subject, onCrash, children }: FloatingWindowProps) {
  const isOpen = useLatch(subject !== null)
  return (
    <CrashBoundary fallback={() => <WindowCrash onCrash={onCrash} />} resetOn={subject}>
      <Suspense>{isOpen && children}</Suspense>
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
