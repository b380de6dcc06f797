/** Draws the current toast: waits while pointed at or focused, F8 leads to it, a swipe of 50 pixels sends it off. */
import * as Radix from '@radix-ui/react-toast'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '@/lib/i18n'
import { IconButton } from './button'
import { classes } from './classes'
import { Icon } from './icon'
import { currentToast, dismissToast, subscribeToToast } from './toast-store'
import styles from './toaster.module.css'

const ICONS = { plain: 'bell', success: 'check', danger: 'warning' } as const

export function Toaster() {
  const { t } = useTranslation('ui')
  const label = t('toasts')
  const toast = useSyncExternalStore(subscribeToToast, currentToast)
  const tone = toast?.tone ?? 'plain'
  return (
    <Radix.Provider label={label} swipeDirection="right" swipeThreshold={50} duration={5000}>
      {toast && (
        <Radix.Root
          key={toast.id}
          open={toast.open}
          onOpenChange={(open) => !open && dismissToast()}
          duration={toast.duration ?? 5000}
          type={tone === 'danger' ? 'foreground' : 'background'}
          className={classes(styles.toast, styles[tone])}
        >
          <span className={styles.mark}>
            <Icon name={ICONS[tone]} />
          </span>
          <div>
            <Radix.Title className={styles.title}>{toast.title}</Radix.Title>
            {toast.description && (
              <Radix.Description className={styles.description}>{toast.description}</Radix.Description>
            )}
          </div>
          <Radix.Close asChild>
            <IconButton icon="close" size="small" label={t('close')} />
          </Radix.Close>
        </Radix.Root>
      )}
      <Radix.Viewport className={styles.viewport} hotkey={['F8']} label={`${label} ({hotkey})`} />
    </Radix.Provider>
  )
}
