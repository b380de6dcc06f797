import { ConfirmDialog } from '@/components/ui/confirm-button'
import { useTranslation } from '@/lib/i18n/i18n'

interface DeleteQuestionProps {
  title: string
  text: string
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirm: () => Promise<unknown>
}

/** Asks for confirmation before a review or a reply is deleted. */
export function DeleteQuestion(props: DeleteQuestionProps) {
  const { t } = useTranslation('server-page')
  return <ConfirmDialog {...props} confirm={t('reviews.delete')} />
}
