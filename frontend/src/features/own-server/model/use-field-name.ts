import { useTranslation } from '@/lib/i18n/i18n'
import { FIELDS, type ServerField } from './server-fields'

/** The name of a field. */
export function useFieldName(): (field: ServerField) => string {
  const { t } = useTranslation('own-server')
  return (field) => t(`field.${FIELDS[field].label}`)
}
