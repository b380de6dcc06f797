import { useTranslation } from '@/lib/i18n'
import { toApiError } from '@/lib/errors'
import { refusalOf } from './refusal'

/** Words for a refusal of the auth service. */
export function useWords(): (cause: unknown) => string {
  const { t } = useTranslation('auth')
  return (cause) => {
    const error = toApiError(cause)
    const refusal = refusalOf(error)
    return refusal ? t(refusal.key) : error.message
  }
}
