import { useTranslation } from '@/lib/i18n/i18n'
import { useMemo } from 'react'
import type { SchemaWords } from './server-fields'

/** The words of the rules that the kit has none for; the same ones as long as the language stays. */
export function useSchemaWords(): SchemaWords {
  const { t } = useTranslation('own-server')
  return useMemo(() => ({ name: t('rule.name'), address: t('rule.address'), video: t('rule.video') }), [t])
}
