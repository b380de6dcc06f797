import { useTranslation } from '@/lib/i18n/i18n'
import type { ApiError } from '@/lib/api/errors'
import { refusalKey, useRefusal } from '@/lib/i18n/refusal'
import { REFUSALS } from './refusals'

/** Words for why a server was not written: what nobody knows better is that it failed. */
export function useRefusalWords(failed: 'add.failed' | 'edit.failed'): (error: ApiError) => string {
  const { t } = useTranslation('own-server')
  const said = useRefusal(REFUSALS)
  return (error) => (refusalKey(error, REFUSALS) === null || error.status >= 500 ? t(failed) : said(error))
}
