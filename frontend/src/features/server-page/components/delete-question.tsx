import { ConfirmDialog } from '@/components/ui/confirm-button'
import { useTranslation } from '@/lib/i18n'

interface DeleteQuestionProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirm: () => Promise<unknown>
}

/** Asks before a review is taken back. */
export function DeleteQuestion(props: DeleteQuestionProps) {
  const { t } = useTranslation('server-page')
  return (
    <ConfirmDialog
      {...props}
      title={t('reviews.confirm.title')}
      text={t('reviews.confirm.text')}
      confirm={t('reviews.delete')}
    />
  )
}
