/**
 * The choice of the rights with which rows are read: all rows, or those that a role or a user sees.
 */
import { Button, Popover, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import type { Relation } from '@/postgres/catalog'
import { runQuery } from '@/postgres/run-query'
import { useTableAddress } from './use-table-address'

const USERS = `select id::text, coalesce(email, phone, id::text) from auth.users
where $1 = '' or email ilike '%' || $1 || '%' or id::text = $1 order by created_at desc limit 20`

export function ViewerPicker({ relation }: { relation: Relation }) {
  const { t } = useTranslation('tables')
  const [{ viewer }, change] = useTableAddress()
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search.trim(), 250)
  const [isOpen, setIsOpen] = useState(false)
  const mayAct = useMayChange()
  const users = useQuery({
    queryKey: ['viewer-users', debounced],
    enabled: isOpen && viewer.kind === 'authenticated',
    queryFn: async ({ signal }) => {
      const { rows } = await runQuery({ query: USERS, parameters: [debounced], signal })
      return rows.map(([value, label]) => ({ value: String(value), label: String(label) }))
    },
  })
  if (!mayAct) return null
  const user = viewer.kind === 'authenticated' ? viewer.user : null
  const options = users.data ?? []
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" withArrow trapFocus withinPortal>
      <Popover.Target>
        <Button
          size="xs"
          variant={viewer.kind === 'owner' ? 'default' : 'filled'}
          leftSection={<IconUserSearch size={14} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t(`viewer.${viewer.kind}`)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('viewer.label')}>
        <Stack gap="xs" maw={320}>
          <Text size="sm">{t('viewer.explanation', { name: relation.name })}</Text>
          <SegmentedControl
            size="xs"
            aria-label={t('viewer.label')}
            value={viewer.kind}
            onChange={(kind) =>
              change({
                viewer:
                  kind === 'owner' ? { kind } : kind === 'anon' ? { kind } : { kind: 'authenticated', user: null },
              })
            }
            data={[
              { value: 'owner', label: t('viewer.owner') },
              { value: 'anon', label: t('viewer.anon') },
              { value: 'authenticated', label: t('viewer.authenticated') },
            ]}
          />
          {viewer.kind === 'authenticated' ? (
            <Select
              size="xs"
              label={t('viewer.user')}
              placeholder={t('viewer.anyUser')}
              data={
                user && !options.some(({ value }) => value === user)
                  ? [{ value: user, label: user }, ...options]
                  : options
              }
              value={user}
              searchable
              clearable
              onSearchChange={setSearch}
              filter={({ options: all }) => all}
              comboboxProps={{ withinPortal: false }}
              nothingFoundMessage={t('list.nothing')}
              error={users.isError ? users.error.message : undefined}
              onChange={(next) => change({ viewer: { kind: 'authenticated', user: next } })}
            />
          ) : null}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
