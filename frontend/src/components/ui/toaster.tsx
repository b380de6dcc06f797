/**
 * Draws the current toast: its timer pauses while it is hovered or focused, F8 moves the focus to
 * it, a swipe of 50 pixels dismisses it.
 */
import { Toast as Base } from '@base-ui/react/toast'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button, IconButton } from './button'
import { classes } from './classes'
import { Icon } from './icon'
import { currentToast, dismissToast, subscribeToToast, type ToastMessage } from './toast-store'
import { useSwipe } from './use-swipe'
import styles from './toaster.module.css'

const ICONS = { plain: 'bell', success: 'check', danger: 'warning' } as const
const DURATION = 5000
const KEY = 'F8'
/** There is at most one toast: a newer one replaces the older. */
const ONLY = 'current'

export function Toaster() {
  const { t } = useTranslation('ui')
  const viewport = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const lead = (event: KeyboardEvent) => event.key === KEY && viewport.current?.focus()
    window.addEventListener('keydown', lead)
    return () => window.removeEventListener('keydown', lead)
  }, [])
  return (
    <Base.Provider limit={1} timeout={DURATION}>
      <Base.Portal>
        <Base.Viewport ref={viewport} className={styles.viewport} aria-label={`${t('toasts')} (${KEY})`}>
          <CurrentToast />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function CurrentToast() {
  const toast = useSyncExternalStore(subscribeToToast, currentToast)
  const { toasts, add, close } = Base.useToastManager<ToastMessage>()
  useEffect(() => {
    if (toast === null) return
    if (!toast.open) return close(ONLY)
    add({
      id: ONLY,
      title: toast.title,
      description: toast.description,
      timeout: toast.duration ?? DURATION,
      data: toast,
      onClose: () => currentToast()?.id === toast.id && dismissToast(),
    })
  }, [toast, add, close])
  return toasts.map((entry) => <ToastItem key={entry.id} toast={entry} />)
}

function ToastItem({ toast }: { toast: Base.Root.ToastObject<ToastMessage> }) {
  const { t } = useTranslation('ui')
  const tone = toast.data?.tone ?? 'plain'
  const action = toast.data?.action
  const swipe = useSwipe(dismissToast)
  return (
    <Base.Root
      toast={toast}
      role={tone === 'danger' ? 'alert' : 'group'}
      aria-modal={undefined}
      swipeDirection={[]}
      className={classes(styles.toast, styles[tone])}
      {...swipe}
    >
      <span className={styles.mark}>
        <Icon name={ICONS[tone]} />
      </span>
      <div>
        <Base.Title className={styles.title} render={<p />} />
        <Base.Description className={styles.description} />
        {action && (
          <Button
            size="small"
            className={styles.action}
            onClick={() => {
              dismissToast()
              action.onSelect()
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <Base.Close aria-hidden={false} render={<IconButton icon="close" size="small" label={t('close')} />} />
    </Base.Root>
  )
}
