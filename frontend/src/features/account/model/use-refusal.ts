import { useCallback } from 'react'
import { useTranslation } from '@/lib/i18n'
import { showToast } from '@/components/ui/toast-store'
import { toApiError } from '@/lib/errors'
import { refusalOf } from './refusal'

/** Words for a refusal, and a toast that says them under a title. */
export function useRefusal() {
  const { t } = useTranslation('account')
  const words = useCallback(
    (cause: unknown): string => {
      const error = toApiError(cause)
      const key = refusalOf(error)
      return key ? t(key) : error.message
    },
    [t],
  )
  const announce = useCallback(
    (title: string) => (cause: unknown) => showToast({ tone: 'danger', title, description: words(cause) }),
    [words],
  )
  return { words, announce }
}
