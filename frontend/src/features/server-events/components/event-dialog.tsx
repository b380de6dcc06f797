import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DateTimeField } from '@/components/form/date-time-field'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { FormLoading } from '@/components/form/form-loading'
import { LocalizedField } from '@/components/form/localized-field'
import { SelectField } from '@/components/form/select-field'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGES, type Language } from '@/lib/i18n/languages'
import { useRefusal } from '@/lib/i18n/refusal'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { EVENT_REFUSALS, saveEventMutation, typesQuery, type EventType, type OwnEvent } from '../api/events'
import { eventSchema, MAX_DESCRIPTION, MAX_TITLE } from '../model/event'
import styles from './event-dialog.module.css'

interface EventDialogProps {
  serverId: string
  /** Null for a new one. */
  event: OwnEvent | null
  onClose: () => void
}

/** The dialog that creates or changes an event. */
export function EventDialog(props: EventDialogProps) {
  const { t } = useTranslation('server-events')
  const types = useQuery(typesQuery())
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={t(props.event === null ? 'form.new' : 'form.change')}
    >
      <QueryStates query={types} loading={<FormLoading fields={5} />} failed={t('form.noTypes')}>
        {(found) => <EventForm {...props} types={found} />}
      </QueryStates>
    </FormDialog>
  )
}

function EventForm({ serverId, event, onClose, types }: EventDialogProps & { types: EventType[] }) {
  const { t } = useTranslation('server-events')
  const language = useLanguage()
  const save = useMutation(saveEventMutation())
  const reasonFor = useRefusal(EVENT_REFUSALS)
  const schema = useMemo(
    () => eventSchema(language, { title: t('form.titleMissing'), end: t('form.endTooEarly') }),
    [language, t],
  )
  const form = useForm({
    schema,
    defaults: {
      type: event?.event_type_key ?? '',
      title: inLanguages((one) => event?.[`title_${one}`]),
      start: event?.start_date ?? '',
      end: event?.end_date ?? '',
      description: inLanguages((one) => event?.[`description_${one}`]),
    },
    submit: (values) => save.mutateAsync({ serverId, id: event?.id ?? null, values }),
    words: (error) => t(event === null ? 'refusal.notCreated' : 'refusal.notChanged', { reason: reasonFor(error) }),
    onDone: onClose,
    guard: true,
    // The key of the draft, one for each server or event.
    draft: event === null ? `event.${serverId}` : `event.change.${event.id}`,
  })
  return (
    <Form form={form} label={t(event === null ? 'form.new' : 'form.change')}>
      <LocalizedField name="title" label={t('form.title')} help={t('form.titleHelp')} limit={MAX_TITLE} />
      <SelectField
        name="type"
        label={t('form.type')}
        empty={t('form.choose')}
        choices={types.map((type) => ({ value: type.key, label: type[`name_${language}`] }))}
      />
      <div className={styles.dates}>
        <DateTimeField name="start" label={t('form.start')} />
        <DateTimeField name="end" label={t('form.end')} />
      </div>
      <LocalizedField name="description" label={t('form.description')} lines={4} limit={MAX_DESCRIPTION} optional />
      <Submit>{t(event === null ? 'form.create' : 'form.save')}</Submit>
    </Form>
  )
}

/** The decoded texts in each language. */
function inLanguages(stored: (language: Language) => string | null | undefined): Record<Language, string> {
  const words = LANGUAGES.map((language) => [language, decodeStored(stored(language) ?? '')])
  return Object.fromEntries(words) as Record<Language, string>
}
