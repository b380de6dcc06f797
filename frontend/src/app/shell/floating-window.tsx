import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { CrashBoundary } from '@/components/ui/crash-boundary'
import { showToast } from '@/components/ui/toast-store'

interface FloatingWindowProps {
  /** What the window is about; null while it is closed. */
  subject: unknown
  /** Closes it, so that it can be opened anew. */
  onCrash: () => void
  children: ReactNode
}

/** A window whose code is fetched when it is first wanted, and whose failure closes it and nothing else. */
export function FloatingWindow({ subject, onCrash, children }: FloatingWindowProps) {
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
export function useOnce(now: boolean): boolean {
  const [once, setOnce] = useState(now)
  if (now && !once) setOnce(true)
  return once || now
}
