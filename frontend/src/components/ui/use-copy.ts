import { useTranslation } from '@/lib/i18n/i18n'
import { copyText } from '@/lib/browser/clipboard'
import { showToast, type ToastMessage } from './toast-store'

/**
 * Copies a text and shows `done`, if given; when the browser refuses, says why, and `unseen` shows
 * the text if it is nowhere else on the page. True when it was copied.
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
