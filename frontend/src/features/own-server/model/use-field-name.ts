import { useTranslation } from '@/lib/i18n/i18n'
import { FIELDS, type ServerField } from './server-fields'

/** What a field is called. */
export function useFieldName(): (field: ServerField) => string {
  const { t } = useTranslation('own-server')
  return (field) => t(`field.${FIELDS[field].label}`)
}
