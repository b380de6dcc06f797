/** The accounts of the application: search, creation, and details. */
import { Avatar, Badge, Button, Group, Menu, Pagination, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconChevronDown, IconMail, IconUserPlus, IconUsers, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { Cell, linkClass, ListTable, rowClass } from '@/ui/list-table'
import { ScreenFrame } from '@/ui/screen'
import { SearchField } from '@/ui/search-field'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { useAddressState } from '@/ui/use-address-state'
import { When } from '@/ui/when'
import { nameOf, PAGE_SIZE, providersOf, statusOf, usersQuery, type User } from './api'
import { InvitationForm, NewUserForm } from './new-user-forms'
import { STATUS_COLOURS } from './status'
import { UserDrawer } from './user-drawer'

export function Screen() {
  const { t } = useTranslation('users')
  const formats = useFormats()
  const { id } = useParams()
  const [filter, setFilter] = useAddressState('q')
  const [pageText, setPage] = useAddressState('page', '1')
  const page = Math.max(1, Number.parseInt(pageText, 10) || 1)
  const users = useQuery(usersQuery(filter, page))
  const total = users.data?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  return (
    <ScreenFrame title={t('title')} description={t('description')} actions={<AddMenu />}>
      <Group mb="md" justify="space-between">
        <SearchField label={t('search')} value={filter} onChange={setFilter} />
        <Text size="sm" c="dimmed" className="figures" role="status">
          {users.data ? t('total', { count: total, formatted: formats.number(total) }) : ''}
        </Text>
      </Group>
      {users.isPending ? (
        <SkeletonRows rows={10} height={44} />
      ) : users.isError ? (
        <ErrorState error={users.error} onRetry={() => void users.refetch()} />
      ) : users.data.users.length === 0 ? (
        filter ? (
          <EmptyState icon={IconUserSearch} title={t('noMatch.title')} text={t('noMatch.text', { filter })} />
        ) : (
          <EmptyState icon={IconUsers} title={t('none.title')} text={t('none.text')} />
        )
      ) : (
        <>
          <ListTable
            label={t('title')}
            columns={[
              { key: 'user', label: t('user') },
              { key: 'status', label: t('status'), width: 130 },
              { key: 'providers', label: t('providers'), width: 160, from: 'md' },
              { key: 'seen', label: t('lastSignIn'), width: 140, from: 'sm' },
              { key: 'created', label: t('created'), width: 140, from: 'sm' },
            ]}
          >
            {users.data.users.map((user) => (
              <UserRow key={user.id} user={user} />
            ))}
          </ListTable>
          {pages > 1 ? (
            <Group justify="center" mt="md">
              <Pagination
                total={pages}
                value={page}
                onChange={(next) => setPage(String(next))}
                siblings={1}
                getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
              />
            </Group>
          ) : null}
        </>
      )}
      {id ? <UserDrawer id={id} /> : null}
    </ScreenFrame>
  )
}

function UserRow({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const { search } = useLocation()
  const status = statusOf(user)
  const name = nameOf(user)
  const address = user.email || user.phone
  return (
    <tr className={rowClass}>
      <Cell title={address || user.id}>
        <Group gap="sm" wrap="nowrap">
          <Avatar size={28} radius="xl" color="violet" aria-hidden visibleFrom="xs">
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
          <div style={{ minWidth: 0 }}>
            <Link to={{ pathname: `/users/${user.id}`, search }} className={linkClass}>
              {name}
            </Link>
            {name === address || !address ? null : (
              <Text size="xs" c="dimmed" truncate>
                {address}
              </Text>
            )}
          </div>
        </Group>
      </Cell>
      <Cell>
        <Badge variant="light" color={STATUS_COLOURS[status]} autoContrast>
          {t(`statuses.${status}`)}
        </Badge>
      </Cell>
      <Cell from="md">{providersOf(user).join(', ') || '–'}</Cell>
      <Cell from="sm">
        <When at={user.last_sign_in_at} />
      </Cell>
      <Cell from="sm">
        <When at={user.created_at} />
      </Cell>
    </tr>
  )
}

function AddMenu() {
  const { t } = useTranslation('users')
  if (!useMayChange()) return null
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button leftSection={<IconUserPlus size={16} />} rightSection={<IconChevronDown size={15} />}>
          {t('add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUserPlus size={16} />}
          onClick={() => modals.open({ title: t('new.title'), centered: true, children: <NewUserForm /> })}
        >
          {t('new.open')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMail size={16} />}
          onClick={() => modals.open({ title: t('invitation.title'), centered: true, children: <InvitationForm /> })}
        >
          {t('invitation.open')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
