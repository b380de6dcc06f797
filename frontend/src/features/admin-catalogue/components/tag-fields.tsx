import { ColourField } from '@/components/form/colour-field'
import { LocalizedField } from '@/components/form/localized-field'
import { TextField } from '@/components/form/text-field'
import { useTranslation } from '@/lib/i18n/i18n'
import { MAX_DESCRIPTION, MAX_NAME } from '../model/tag'

/** The name, description and color of a tag. */
export function TagFields() {
  const { t } = useTranslation('admin-catalogue')
  return (
    <>
      <TextField name="name" label={t('tags.name')} help={t('tags.nameHelp')} limit={MAX_NAME} firstFocus />
      <LocalizedField name="names" label={t('tags.names')} limit={MAX_NAME} />
      <LocalizedField name="description" label={t('tags.description')} lines={2} limit={MAX_DESCRIPTION} optional />
      <ColourField name="colour" label={t('tags.colour')} />
    </>
  )
}
