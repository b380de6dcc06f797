import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { SwitchField } from '@/components/form/check-field'
import { ColourField } from '@/components/form/colour-field'
import { EntityDialog } from '@/components/form/entity-dialog'
import { LocalizedField } from '@/components/form/localized-field'
import { SelectField } from '@/components/form/select-field'
import { TextField } from '@/components/form/text-field'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import type { EventTypeRecord } from '../api/event-types'
import { saveEventTypeMutation } from '../api/save-event-type'
import { eventTypeSchema, eventTypeValues, ICONS, MAX_NAME } from '../model/event-type'

/** Creates or changes an event type. */
export function EventTypeDialog({ type, onClose }: { type: EventTypeRecord | null; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const language = useLanguage()
  const save = useMutation(saveEventTypeMutation())
  const keyWords = t('eventTypes.keyShape')
  return (
    <EntityDialog
      title={type === null ? t('eventTypes.add') : t('eventTypes.edit', { name: type[`name_${language}`] })}
      action={t('save')}
      onClose={onClose}
      schema={useMemo(() => eventTypeSchema(keyWords), [keyWords])}
      defaults={eventTypeValues(type)}
      submit={(values) => save.mutateAsync({ key: type?.key ?? null, values })}
      refusals={{ '23505': 'key' }}
      words={useRefusal({ '23505': 'admin-catalogue:eventTypes.taken' })}
    >
      <LocalizedField name="names" label={t('eventTypes.names')} limit={MAX_NAME} />
      <TextField
        name="key"
        label={t('eventTypes.key')}
        help={t('eventTypes.keyHelp')}
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectField
        name="icon"
        label={t('eventTypes.icon')}
        choices={ICONS.map((value) => ({ value, label: t(`eventTypes.icons.${value}`) }))}
      />
      <ColourField name="colour" label={t('tags.colour')} custom />
      <SwitchField name="active" label={t('eventTypes.active')} help={t('eventTypes.activeHelp')} />
    </EntityDialog>
  )
}
