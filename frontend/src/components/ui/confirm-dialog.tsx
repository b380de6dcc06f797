import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useTranslation } from '@/lib/i18n'
import styles from './confirm-dialog.module.css'

interface ConfirmDialogProps {
  title: string
  /** What will happen. */
  text: string
  submit: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks once before something that cannot be taken back. Focus starts on the way out. */
export function ConfirmDialog({ title, text, submit, busy, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation('ui')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={text}>
      <div className={styles.buttons}>
        <Button data-first-focus onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {submit}
        </Button>
      </div>
    </Dialog>
  )
}
