import { useTranslation } from '@/lib/i18n/i18n'
import { copyText } from '@/lib/browser/clipboard'
import { showToast, type ToastMessage } from './toast-store'

/**
 * Copies a text, says that it is done if given words for it, and tells why not when the browser refuses; `unseen` shows
 * the text there when it stands nowhere else. True when it was copied.
 */
export function useCopy(): (text: string, done?: ToastMessage, unseen?: boolean) => Promise<boolean> {
  const { t } = useTranslation('ui')
  return async (text, done, unseen = false) => {
    try {
      await copyText(text)
      if (done) showToast({ tone: 'success', ...done })
      return true
    } catch {
      showToast({ tone: 'danger', title: t('copy.failed'), description: unseen ? text : t('copy.failedText') })
      return false
    }
  }
}
