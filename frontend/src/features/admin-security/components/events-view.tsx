import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { ChoiceFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { formatShortMoment } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { eventTypesQuery, securityEventsQuery, type SecurityEvent } from '../api/security-events'
import { eventTypeKey } from '../model/event-type'
import { Changes } from './changes'

const SPEC = {
  sorts: ['created_at'],
  sort: '-created_at',
  filters: { type: 'text', origin: ['page', 'database'] },
} as const

/** Security events that pages and the database recorded. */
export function EventsView() {
  const { t } = useTranslation('admin-security')
  const language = useLanguage()
  const table = useTableState(SPEC)
  const events = useQuery(securityEventsQuery(table.state))
  const types = useQuery(eventTypesQuery())
  const wordsOf = useTypeWords()
  const columns = useMemo<Column<SecurityEvent>[]>(
    () => [
      {
        id: 'event_type',
        title: t('column.type'),
        cell: (event) => wordsOf(event.event_type) ?? <code>{event.event_type}</code>,
      },
      {
        id: 'created_at',
        title: t('column.when'),
        sorts: true,
        cell: (event) => formatShortMoment(event.created_at, language),
      },
      { id: 'user_id', title: t('column.account'), cell: (event) => event.profiles?.username ?? '–' },
      {
        id: 'origin',
        title: t('column.origin'),
        cell: (event) => t(event.origin === 'database' ? 'origin.database' : 'origin.page'),
      },
      {
        id: 'event_data',
        title: t('column.data'),
        cell: (event) => <Changes before={null} after={event.event_data} />,
      },
    ],
    [t, language, wordsOf],
  )
  return (
    <DataTable
      label={t('view.events')}
      columns={columns}
      table={table}
      query={events}
      rowId={(event) => String(event.id)}
      rowName={(event) => wordsOf(event.event_type) ?? event.event_type}
      filters={
        <>
          <ChoiceFilter
            table={table}
            name="type"
            label={t('filter.type')}
            all={t('filter.all')}
            choices={choicesOf(types.data ?? [], table.state.filters.type, wordsOf)}
          />
          <ChoiceFilter
            table={table}
            name="origin"
            label={t('column.origin')}
            all={t('filter.all')}
            choices={[
              { value: 'page', label: t('origin.page') },
              { value: 'database', label: t('origin.database') },
            ]}
          />
        </>
      }
      empty={t('empty.events')}
      failed={t('failed.events')}
    />
  )
}

/** The text of a type, if it has one. */
function useTypeWords(): (type: string) => string | null {
  const { t } = useTranslation('admin-security')
  return useCallback(
    (type) => {
      const key = eventTypeKey(type)
      return key && t(`event.${key}`)
    },
    [t],
  )
}

/** The selected type is offered even before the list of types is loaded. */
function choicesOf(
  types: readonly string[],
  chosen: string,
  wordsOf: (type: string) => string | null,
): { value: string; label: string }[] {
  const all = chosen === '' || types.includes(chosen) ? types : [chosen, ...types]
  return all.map((type) => ({ value: type, label: wordsOf(type) ?? type }))
}
