import { useTranslation } from '@/lib/i18n/i18n'
import { useMemo } from 'react'
import type { SchemaWords } from './server-fields'

/** The messages that the kit does not have; memoized per language. */
export function useSchemaWords(): SchemaWords {
  const { t } = useTranslation('own-server')
  return useMemo(() => ({ name: t('rule.name'), address: t('rule.address'), video: t('rule.video') }), [t])
}
