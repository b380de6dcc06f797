/** One account: facts, identities, sessions, claims, and actions. */
import { Badge, Drawer, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useMayChange } from '@/app/session'
import { CodeBlock, CopyLine } from '@/ui/code-block'
import { ErrorState } from '@/ui/states'
import tabClasses from '@/ui/tabs.module.css'
import { When } from '@/ui/when'
import { ActAsUser } from './act-as-user'
import { claimsOf, nameOf, statusOf, userQuery, type User } from './api'
import { MetadataForm } from './metadata-form'
import { SignInMethods } from './sign-in-methods'
import { STATUS_COLOURS } from './status'
import { UserActions } from './user-actions'
import classes from './user-drawer.module.css'
import { UserSessions } from './user-sessions'

export function UserDrawer({ id }: { id: string }) {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const { search } = useLocation()
  const user = useQuery(userQuery(id))
  return (
    <Drawer
      opened
      onClose={() => void navigate({ pathname: '/users', search })}
      position="right"
      size={560}
      title={user.data ? nameOf(user.data) : t('user')}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.title }}
    >
      {user.isPending ? (
        <Stack>
          <Skeleton height={36} />
          <Skeleton height={220} />
        </Stack>
      ) : user.isError ? (
        <ErrorState error={user.error} onRetry={() => void user.refetch()} />
      ) : (
        <Contents user={user.data} />
      )}
    </Drawer>
  )
}

function Contents({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const mayChange = useMayChange()
  const status = statusOf(user)
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Badge variant="light" color={STATUS_COLOURS[status]} autoContrast>
          {t(`statuses.${status}`)}
        </Badge>
        {status === 'banned' ? (
          <Text size="sm" c="dimmed">
            {t('bannedUntil')} <When at={user.banned_until} />
          </Text>
        ) : null}
      </Group>
      <Tabs defaultValue="facts" keepMounted={false}>
        <Tabs.List className={tabClasses.list}>
          <Tabs.Tab value="facts">{t('tabs.facts')}</Tabs.Tab>
          <Tabs.Tab value="methods">{t('tabs.methods')}</Tabs.Tab>
          <Tabs.Tab value="sessions">{t('tabs.sessions')}</Tabs.Tab>
          <Tabs.Tab value="claims">{t('tabs.claims')}</Tabs.Tab>
          {mayChange ? <Tabs.Tab value="acting">{t('tabs.acting')}</Tabs.Tab> : null}
          {mayChange ? <Tabs.Tab value="actions">{t('tabs.actions')}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="facts" pt="md">
          <Facts user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="methods" pt="md">
          <SignInMethods user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions" pt="md">
          <UserSessions user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="claims" pt="md">
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t('claims.help')}
            </Text>
            <CodeBlock code={JSON.stringify(claimsOf(user), null, 2)} label={t('tabs.claims')} maxHeight={320} />
            {mayChange ? <MetadataForm key={user.updated_at} user={user} /> : null}
          </Stack>
        </Tabs.Panel>
        {mayChange ? (
          <>
            <Tabs.Panel value="acting" pt="md">
              <ActAsUser user={user} />
            </Tabs.Panel>
            <Tabs.Panel value="actions" pt="md">
              <UserActions user={user} />
            </Tabs.Panel>
          </>
        ) : null}
      </Tabs>
    </Stack>
  )
}

function Facts({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const facts = [
    ['email', user.email || '–'],
    ['phone', user.phone || '–'],
    ['confirmed', <When key="c" at={user.confirmed_at ?? user.email_confirmed_at ?? user.phone_confirmed_at} />],
    ['lastSignIn', <When key="l" at={user.last_sign_in_at} />],
    ['created', <When key="r" at={user.created_at} />],
    ['changed', <When key="u" at={user.updated_at} />],
    ['role', user.role || '–'],
  ] as const
  return (
    <Stack gap="md">
      <CopyLine value={user.id} label={t('id')} />
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Stack>
  )
}
