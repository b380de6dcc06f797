/** The event types that owners can choose. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Column } from '@/components/table/columns'
import { DeleteDialog, EntityPage } from '@/components/table/entity-page'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge, TagChip } from '@/components/ui/badge'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { useLanguage } from '@/lib/i18n/use-language'
import { deleteEventTypeMutation } from './api/delete-event-type'
import { eventTypesQuery, type EventTypeRecord } from './api/event-types'
import { EventTypeDialog } from './components/event-type-dialog'

const STATES = ['active', 'retired'] as const
const SPEC = {
  sorts: ['name_fr', 'key'],
  sort: 'name_fr',
  filters: { name: 'text', state: STATES },
} as const

export function EventTypesPage() {
  const { t } = useTranslation(['admin-catalogue', 'leads', 'pages'])
  const language = useLanguage()
  const table = useTableState(SPEC)
  const types = useQuery(eventTypesQuery(table.state))
  const drop = useMutation(deleteEventTypeMutation())
  return (
    <EntityPage
      title={t('pages:adminEventTypes')}
      description={t('leads:adminEventTypes')}
      add={t('eventTypes.add')}
      dialog={(type, close) => <EventTypeDialog type={type} onClose={close} />}
      deletion={(type, close) => (
        <DeleteDialog
          title={t('eventTypes.deleteTitle', { name: type[`name_${language}`] })}
          text={t('eventTypes.deleteText')}
          onDelete={() => drop.mutateAsync(type.key)}
          onClose={close}
        />
      )}
      columns={useColumns()}
      table={table}
      query={types}
      rowId={(type) => type.key}
      rowName={(type) => type[`name_${language}`]}
      filters={
        <>
          <TextFilter table={table} name="name" label={t('search')} />
          <ChoiceFilter
            table={table}
            name="state"
            label={t('state')}
            all={t('eventTypes.states.all')}
            choices={STATES.map((value) => ({ value, label: t(`eventTypes.states.${value}`) }))}
          />
        </>
      }
      empty={t('eventTypes.empty')}
      failed={t('eventTypes.failed')}
    />
  )
}

function useColumns(): Column<EventTypeRecord>[] {
  const { t } = useTranslation('admin-catalogue')
  return [
    {
      id: 'name_fr',
      title: LANGUAGE_NAMES.fr,
      sorts: true,
      cell: (type) => <TagChip color={type.color}>{type.name_fr}</TagChip>,
    },
    { id: 'name_en', title: LANGUAGE_NAMES.en, cell: (type) => type.name_en },
    { id: 'name_es', title: LANGUAGE_NAMES.es, cell: (type) => type.name_es },
    { id: 'key', title: t('eventTypes.key'), sorts: true, cell: (type) => <code>{type.key}</code> },
    {
      id: 'is_active',
      title: t('state'),
      cell: (type) => (
        <StatusBadge status={type.is_active ? 'good' : 'off'}>
          {t(type.is_active ? 'eventTypes.states.active' : 'eventTypes.states.retired')}
        </StatusBadge>
      ),
    },
  ]
}
