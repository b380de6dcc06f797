import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import styles from './confirm-dialog.module.css'

interface ConfirmDialogProps {
  title: string
  /** What will happen. */
  text: string
  submit: string
  cancel: string
  close: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks once before something that cannot be taken back. Focus starts on the way out. */
export function ConfirmDialog({ title, text, submit, cancel, close, busy, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={text} closeLabel={close}>
      <div className={styles.buttons}>
        <Button data-first-focus onClick={onClose}>
          {cancel}
        </Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {submit}
        </Button>
      </div>
    </Dialog>
  )
}
