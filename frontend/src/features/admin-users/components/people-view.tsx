import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { Badge, StatusBadge } from '@/components/ui/badge'
import { formatDate, formatNumber } from '@/lib/i18n/format'
import { formatShortDate } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { useSession } from '@/lib/session/session'
import styles from '../admin-users.module.css'
import { peopleTableQuery, fetchAllPeople, type PersonRecord } from '../api/people'
import { unbanMutation } from '../api/sanction'
import { roleOf, ROLES, rolesGivenBy } from '../model/sanction'
import { AddressesDialog } from './addresses-dialog'
import { RoleDialog, SanctionDialog } from './sanction-dialog'

const SPEC = {
  sorts: ['created_at', 'username', 'total_votes'],
  sort: '-created_at',
  filters: { name: 'text', role: ROLES, state: ['banned'] },
} as const

interface PersonAction {
  act: 'warning' | 'ban' | 'role' | 'addresses'
  person: PersonRecord
}

/**
 * Every account. Administrators may sanction users and promote one to administrator; the other
 * actions are offered to founders only. The database refuses them to others anyway.
 */
export function PeopleView() {
  const { t } = useTranslation('admin-users')
  const { profile, user } = useSession()
  const table = useTableState(SPEC)
  const people = useQuery(peopleTableQuery(table.state))
  const unban = useMutation(unbanMutation())
  const [pendingAction, setAsked] = useState<PersonAction | null>(null)
  const columns = useColumns()
  const isFounder = profile?.role === 'founder'
  const actions = (person: PersonRecord): RowAction[] => {
    const ask = (act: PersonAction['act'], tone: 'plain' | 'danger' = 'plain'): RowAction => ({
      label: t(`act.${act}`),
      tone,
      onSelect: () => setAsked({ act, person }),
    })
    const isWithin = person.id !== user?.id && (isFounder || person.role === 'user')
    if (!isWithin) return []
    return [
      ask('role'),
      ask('warning'),
      person.is_banned
        ? { label: t('act.unban'), disabled: unban.isPending, onSelect: () => unban.mutate(person) }
        : ask('ban', 'danger'),
      ask('addresses', 'danger'),
    ]
  }
  return (
    <>
      <DataTable
        label={t('view.people')}
        columns={columns}
        table={table}
        query={people}
        rowId={(person) => person.id}
        rowName={(person) => person.username}
        actions={actions}
        filters={
          <>
            <TextFilter table={table} name="name" label={t('name')} />
            <ChoiceFilter
              table={table}
              name="role"
              label={t('role')}
              all={t('all')}
              choices={ROLES.map((value) => ({ value, label: t(`roles.${value}`) }))}
            />
            <ChoiceFilter
              table={table}
              name="state"
              label={t('state')}
              all={t('all')}
              choices={[{ value: 'banned', label: t('banned') }]}
            />
          </>
        }
        empty={t('empty')}
        failed={t('failed')}
        file={{ name: 'users', rows: () => fetchAllPeople(table.state) }}
      />
      {pendingAction !== null && <PersonActionDialog action={pendingAction} onClose={() => setAsked(null)} />}
    </>
  )
}

function PersonActionDialog({ action: { act, person }, onClose }: { action: PersonAction; onClose: () => void }) {
  const { profile } = useSession()
  if (act === 'role') return <RoleDialog person={person} roles={rolesGivenBy(profile?.role)} onClose={onClose} />
  if (act === 'addresses') return <AddressesDialog person={person} onClose={onClose} />
  return <SanctionDialog person={person} sanction={act} onClose={onClose} />
}

function useColumns(): Column<PersonRecord>[] {
  const { t } = useTranslation('admin-users')
  const language = useLanguage()
  return [
    {
      id: 'username',
      title: t('name'),
      sorts: true,
      cell: (person) => (
        <span className={styles.lines}>
          <span>{person.username}</span>
          <span className={styles.note}>{person.email}</span>
        </span>
      ),
      csv: (person) => person.username,
    },
    {
      id: 'role',
      title: t('role'),
      cell: (person) => (
        <Badge tone={person.role === 'user' ? 'plain' : 'accent'}>{t(`roles.${roleOf(person.role)}`)}</Badge>
      ),
      csv: (person) => person.role,
    },
    {
      id: 'state',
      title: t('state'),
      cell: (person) => <PersonState person={person} />,
      csv: (person) => (person.is_banned ? 'banned' : ''),
    },
    {
      id: 'total_votes',
      title: t('votes'),
      sorts: true,
      numeric: true,
      cell: (person) => formatNumber(person.total_votes, language),
      csv: (person) => person.total_votes,
    },
    {
      id: 'created_at',
      title: t('since'),
      sorts: true,
      cell: (person) => formatShortDate(person.created_at, language),
      csv: (person) => person.created_at,
    },
  ]
}

/** Whether somebody is banned, until when, and why. */
function PersonState({ person }: { person: PersonRecord }) {
  const { t } = useTranslation('admin-users')
  const language = useLanguage()
  if (!person.is_banned) return '–'
  return (
    <span className={styles.lines}>
      <StatusBadge status="bad">
        {person.banned_until === null
          ? t('banned')
          : t('bannedUntil', { day: formatDate(person.banned_until, language) })}
      </StatusBadge>
      {person.ban_reason !== null && <span className={styles.note}>{person.ban_reason}</span>}
    </span>
  )
}
