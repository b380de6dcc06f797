import { Suspense, useEffect, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { CrashBoundary } from '@/components/ui/crash-boundary'
import { showToast } from '@/components/ui/toast-store'
import { useLatch } from './use-latch'

interface FloatingWindowProps {
  /** What the window is about; null while it is closed. */
  subject: unknown
  /** Closes it, so that it can be opened anew. */
  onCrash: () => void
  children: ReactNode
}

/** A window whose code is fetched when it is first wanted, and whose failure closes it and nothing else. */
export function FloatingWindow({ subject, onCrash, children }: FloatingWindowProps) {
  const wanted = useLatch(subject !== null)
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
