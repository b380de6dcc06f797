/**
 * A modal dialog: the focus stays inside, Escape closes it, the focus returns afterwards. On a
 * phone it slides up from the bottom. Import only from components that are loaded lazily: it is
 * larger than the page that opens it.
 */
import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { IconButton } from './button'
import { classes } from './classes'
import { firstFocus } from './first-focus'
import { useOpener } from './use-opener'
import styles from './dialog.module.css'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  wide?: boolean
  children: ReactNode
}

export function Dialog({ open, onOpenChange, title, description, wide = false, children }: DialogProps) {
  const { t } = useTranslation('ui')
  const popup = useRef<HTMLDivElement>(null)
  const opener = useOpener(open)
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.overlay} />
        <Base.Popup
          ref={popup}
          className={classes(styles.content, wide && styles.wide)}
          initialFocus={() => firstFocus(popup.current)}
          finalFocus={opener}
        >
          <div className={styles.head}>
            <div>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {description && <Base.Description className={styles.description}>{description}</Base.Description>}
            </div>
            <Base.Close render={<IconButton icon="close" size="small" label={t('close')} />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
