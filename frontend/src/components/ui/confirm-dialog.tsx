/** The window that asks once. As heavy as a dialog: `confirm-button` fetches it when it is wanted. */
import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from './button'
import styles from './dialog.module.css'

export interface Question {
  title: ReactNode
  /** What will happen, by name. */
  text: ReactNode
  /** The word for doing it. */
  confirm: ReactNode
  /** The window stays, busy, until what this returns is done; if it fails, it stays open. */
  onConfirm: () => void | Promise<unknown>
}

export type ConfirmDialogProps = Question & { open: boolean; onOpenChange: (open: boolean) => void }

/** Focus starts on the way out. */
export function ConfirmDialog({ open, onOpenChange, title, text, confirm, onConfirm }: ConfirmDialogProps) {
  const { t } = useTranslation('ui')
  const [busy, setBusy] = useState(false)
  const wayOut = useRef<HTMLButtonElement>(null)

  async function act(): Promise<void> {
    setBusy(true)
    try {
      await onConfirm()
      onOpenChange(false)
    } catch {
      // Whoever acts says what went wrong; the question stays, to be answered again.
    } finally {
      setBusy(false)
    }
  }

  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.overlay} />
        <Base.Popup className={styles.content} initialFocus={wayOut}>
          <div>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Description className={styles.description}>{text}</Base.Description>
          </div>
          <div className={styles.buttons}>
            <Base.Close ref={wayOut} render={<Button>{t('cancel')}</Button>} />
            <Button variant="danger" busy={busy} onClick={() => void act()}>
              {confirm}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
