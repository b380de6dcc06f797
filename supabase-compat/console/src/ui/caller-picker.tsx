/**
 * The choice of an identity: the service, a role, or an account that is found by its email address.
 */
import { Group, NativeSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CALLER_KINDS, type Caller } from '@/api/caller'
import { useMayChange } from '@/app/session'
import { runQuery } from '@/postgres/run-query'

const USERS = `select id::text, coalesce(email, phone, id::text) from auth.users
where $1 = '' or email ilike '%' || $1 || '%' or id::text = $1 order by created_at desc limit 20`

export function CallerPicker({ caller, onChange }: { caller: Caller; onChange: (caller: Caller) => void }) {
  const { t } = useTranslation('shared')
  const mayAct = useMayChange()
  if (!mayAct) return null
  return (
    <Group gap="xs" align="flex-end">
      <NativeSelect
        label={t('caller.label')}
        value={caller.kind}
        data={CALLER_KINDS.map((value) => ({ value, label: t(`caller.${value}`) }))}
        onChange={(event) => {
          const kind = CALLER_KINDS.find((one) => one === event.currentTarget.value) ?? 'service'
          onChange(kind === 'authenticated' ? { kind, user: null } : { kind })
        }}
      />
      {caller.kind === 'authenticated' ? (
        <UserSelect user={caller.user} onChange={(user) => onChange({ kind: 'authenticated', user })} />
      ) : null}
    </Group>
  )
}

function UserSelect({ user, onChange }: { user: string | null; onChange: (user: string | null) => void }) {
  const { t } = useTranslation('shared')
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search.trim(), 250)
  const users = useQuery({
    queryKey: ['caller-users', debounced],
    queryFn: async ({ signal }) => {
      const { rows } = await runQuery({ query: USERS, parameters: [debounced], signal })
      return rows.map(([value, label]) => ({ value: String(value), label: String(label) }))
    },
  })
  const matches = users.data ?? []
  return (
    <Select
      label={t('caller.user')}
      placeholder={t('caller.anyUser')}
      data={user && !matches.some(({ value }) => value === user) ? [{ value: user, label: user }, ...matches] : matches}
      value={user}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      nothingFoundMessage={t('caller.nobody')}
      error={users.isError ? users.error.message : undefined}
      onChange={onChange}
      w={240}
    />
  )
}
