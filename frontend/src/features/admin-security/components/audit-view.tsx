import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { ChoiceFilter, DayFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { Badge } from '@/components/ui/badge'
import { formatShortMoment } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { auditLogQuery, fetchAllAuditLog, type AuditEntry } from '../api/audit-log'
import { changesLine } from '../model/changes'
import { ACTIONS, SUBJECT_WORDS, SUBJECTS, actionOf, subjectOf } from '../model/subjects'
import { Changes } from './changes'

const SPEC = {
  sorts: ['created_at'],
  sort: '-created_at',
  filters: { q: 'text', kind: SUBJECTS, action: ACTIONS, from: 'text', to: 'text' },
} as const

/**
 * The audit log: who of the administration did what, to what, to whom, when, and the former values.
 */
export function AuditView() {
  const { t } = useTranslation('admin-security')
  const table = useTableState(SPEC)
  const entries = useQuery(auditLogQuery(table.state))
  const columns = useColumns()
  return (
    <DataTable
      label={t('view.audit')}
      columns={columns}
      table={table}
      query={entries}
      rowId={(entry) => String(entry.id)}
      rowName={(entry) => `${entry.actor_name}, ${entry.subject_label ?? entry.subject_kind}`}
      filters={
        <>
          <TextFilter table={table} name="q" label={t('filter.names')} />
          <ChoiceFilter
            table={table}
            name="kind"
            label={t('filter.kind')}
            all={t('filter.all')}
            choices={SUBJECTS.map((subject) => ({ value: subject, label: t(`subject.${SUBJECT_WORDS[subject]}`) }))}
          />
          <ChoiceFilter
            table={table}
            name="action"
            label={t('filter.action')}
            all={t('filter.all')}
            choices={ACTIONS.map((action) => ({ value: action, label: t(`action.${action}`) }))}
          />
          <DayFilter table={table} name="from" label={t('filter.from')} />
          <DayFilter table={table} name="to" label={t('filter.to')} />
        </>
      }
      empty={t('empty.audit')}
      failed={t('failed.audit')}
      file={{ name: 'audit-log', rows: () => fetchAllAuditLog(table.state) }}
    />
  )
}

const TONES = { created: 'online', changed: 'plain', deleted: 'danger', voided: 'danger' } as const

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation('admin-security')
  const language = useLanguage()
  return useMemo(() => {
    const subjectWord = (kind: string): string => {
      const subject = subjectOf(kind)
      return subject === null ? kind : t(`subject.${SUBJECT_WORDS[subject]}`)
    }
    return [
      {
        id: 'actor_name',
        title: t('column.actor'),
        cell: (entry) => entry.actor_name,
        csv: (entry) => entry.actor_name,
      },
      {
        id: 'created_at',
        title: t('column.when'),
        sorts: true,
        cell: (entry) => formatShortMoment(entry.created_at, language),
        csv: (entry) => entry.created_at,
      },
      {
        id: 'action',
        title: t('column.action'),
        cell: (entry) => <Badge tone={TONES[actionOf(entry.action)]}>{t(`action.${actionOf(entry.action)}`)}</Badge>,
        csv: (entry) => entry.action,
      },
      {
        id: 'subject_kind',
        title: t('column.kind'),
        cell: (entry) => subjectWord(entry.subject_kind),
        csv: (entry) => entry.subject_kind,
      },
      {
        id: 'subject_label',
        title: t('column.subject'),
        cell: (entry) => entry.subject_label ?? '–',
        csv: (entry) => entry.subject_label,
      },
      {
        id: 'person_name',
        title: t('column.person'),
        cell: (entry) => entry.person_name ?? '–',
        csv: (entry) => entry.person_name,
      },
      {
        id: 'changes',
        title: t('column.changes'),
        cell: (entry) => <Changes before={entry.before} after={entry.after} />,
        csv: (entry) => changesLine(entry.before, entry.after),
      },
    ]
  }, [t, language])
}
