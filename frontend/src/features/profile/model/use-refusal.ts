import { useCallback } from 'react'
import { useTranslation } from '@/lib/i18n'
import { showToast } from '@/components/ui/toast-store'
import { toApiError, type ApiError } from '@/lib/errors'

type Key = 'refusal.nameTaken' | 'refusal.nameInvalid' | 'refusal.forbidden' | 'refusal.offline'

/** SQLSTATEs of what this page writes; no row answered means that row security let none through. */
const BY_CODE: Readonly<Record<string, Key>> = {
  '23505': 'refusal.nameTaken',
  '23514': 'refusal.nameInvalid',
  '42501': 'refusal.forbidden',
  PGRST116: 'refusal.forbidden',
  offline: 'refusal.offline',
}

/** Words for a refusal, and a toast that says them under a title. */
export function useRefusal() {
  const { t } = useTranslation('profile')
  const words = useCallback(
    (error: ApiError): string => {
      const key = Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined
      return key ? t(key) : error.message
    },
    [t],
  )
  const announce = useCallback(
    (title: string) => (cause: unknown) => showToast({ tone: 'danger', title, description: words(toApiError(cause)) }),
    [words],
  )
  return { words, announce }
}
