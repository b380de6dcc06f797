/** The kinds of events owners can announce. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge, TagChip } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { PageHeader } from '@/components/ui/page-header'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { useLanguage } from '@/lib/i18n/use-language'
import { deleteEventTypeMutation } from './api/delete-event-type'
import { eventTypesQuery, type KeptEventType } from './api/event-types'
import { EventTypeDialog } from './components/event-type-dialog'

const STATES = ['active', 'retired'] as const
const SPEC = {
  sorts: ['name_fr', 'key'],
  sort: 'name_fr',
  filters: { name: 'text', state: STATES },
} as const

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; type: KeptEventType } | null

export function EventTypesPage() {
  const { t } = useTranslation(['admin-catalogue', 'leads', 'pages'])
  const language = useLanguage()
  const table = useTableState(SPEC)
  const types = useQuery(eventTypesQuery(table.state))
  const drop = useMutation(deleteEventTypeMutation())
  const columns = useColumns()
  const [doing, setDoing] = useState<Doing>(null)
  const close = () => setDoing(null)
  return (
    <>
      <PageHeader
        title={t('pages:adminEventTypes')}
        lead={t('leads:adminEventTypes')}
        actions={
          <Button look="primary" icon="plus" onClick={() => setDoing({ what: 'add' })}>
            {t('eventTypes.add')}
          </Button>
        }
      />
      <DataTable
        label={t('pages:adminEventTypes')}
        columns={columns}
        table={table}
        query={types}
        rowId={(type) => type.key}
        rowName={(type) => type[`name_${language}`]}
        actions={(type) => [
          { label: t('change'), icon: 'edit', onSelect: () => setDoing({ what: 'edit', type }) },
          { label: t('delete'), icon: 'trash', tone: 'danger', onSelect: () => setDoing({ what: 'delete', type }) },
        ]}
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
      {doing?.what === 'add' && <EventTypeDialog type={null} onClose={close} />}
      {doing?.what === 'edit' && <EventTypeDialog type={doing.type} onClose={close} />}
      {doing?.what === 'delete' && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && close()}
          title={t('eventTypes.deleteTitle', { name: doing.type[`name_${language}`] })}
          text={t('eventTypes.deleteText')}
          confirm={t('delete')}
          onConfirm={() => drop.mutateAsync(doing.type.key)}
        />
      )}
    </>
  )
}

function useColumns(): Column<KeptEventType>[] {
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
