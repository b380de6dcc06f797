/** The confirmation dialog. As large as a dialog: `confirm-button` loads it lazily. */
import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from './button'
import styles from './dialog.module.css'

export interface Question {
  title: ReactNode
  /** What will happen, with the name of the thing. */
  text: ReactNode
  /** The label of the confirming button. */
  confirm: ReactNode
  /**
   * The dialog stays open and busy until the returned promise settles; if it rejects, the dialog
   * stays open.
   */
  onConfirm: () => void | Promise<unknown>
}

export type ConfirmDialogProps = Question & { open: boolean; onOpenChange: (open: boolean) => void }

/** The focus starts on the cancel button. */
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
      // `onConfirm` reports its own failures; the dialog stays open for another try.
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
