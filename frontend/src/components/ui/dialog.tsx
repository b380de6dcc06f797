/**
 * A window over the page: focus stays inside, Escape closes, focus returns. On a phone it rises from the bottom.
 * Import only from components that are themselves loaded lazily: it weighs more than the page that opens it.
 */
import * as Radix from '@radix-ui/react-dialog'
import { useRef, type ReactNode } from 'react'
import { classes } from './classes'
import { IconButton } from './button'
import { useTranslation } from '@/lib/i18n'
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
  const focus = useFocusReturn()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={classes(styles.content, wide && styles.wide)}
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className={styles.head}>
            <div>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {description && <Radix.Description className={styles.description}>{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton icon="close" size="small" label={t('close')} />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The same, sliding in from the side of the thumb, for the phone's menu. */
export function Drawer({ open, onOpenChange, title, children }: Omit<DialogProps, 'description' | 'wide'>) {
  const { t } = useTranslation('ui')
  const focus = useFocusReturn()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content className={styles.drawer} aria-describedby={undefined} {...focus}>
          <div className={styles.head}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon="close" size="small" label={t('close')} />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/**
 * What opened the window gets the focus back. Radix does that for a trigger of its own only; ours are opened from
 * anywhere.
 */
function useFocusReturn() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus(event: Event): void {
      opener.current = document.activeElement
      focusFirst(event)
    },
    onCloseAutoFocus(event: Event): void {
      if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return
      event.preventDefault()
      opener.current.focus()
    },
  }
}

/** Focus starts where `data-first-focus` stands, else on the first control. */
function focusFirst(event: Event): void {
  const content = event.currentTarget
  const first = content instanceof HTMLElement ? content.querySelector<HTMLElement>('[data-first-focus="true"]') : null
  if (first === null) return
  event.preventDefault()
  first.focus()
}
