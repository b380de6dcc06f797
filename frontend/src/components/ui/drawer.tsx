/** A panel at the side of the screen, for the phone's menu. As large as a dialog: import lazily. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { IconButton } from './button'
import { firstFocus } from './first-focus'
import { useOpener } from './use-opener'
import styles from './dialog.module.css'

interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children: ReactNode
}

export function Drawer({ open, onOpenChange, title, children }: DrawerProps) {
  const { t } = useTranslation('ui')
  const popup = useRef<HTMLDivElement>(null)
  const opener = useOpener(open)
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.overlay} />
        <Base.Popup
          ref={popup}
          className={styles.drawer}
          initialFocus={() => firstFocus(popup.current)}
          finalFocus={opener}
        >
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" size="small" label={t('close')} />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
