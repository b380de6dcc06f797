import { useTranslation } from '@/lib/i18n/i18n'
import type { ApiError } from '@/lib/api/errors'
import { refusalKey, useRefusal } from '@/lib/i18n/refusal'
import { REFUSALS } from './refusals'

/** The text for a refusal of a write; an unknown refusal gets a general text. */
export function useRefusalWords(failed: 'add.failed' | 'edit.failed'): (error: ApiError) => string {
  const { t } = useTranslation('own-server')
  const refusalText = useRefusal(REFUSALS)
  return (error) => (refusalKey(error, REFUSALS) === null || error.status >= 500 ? t(failed) : refusalText(error))
}
