import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { confirm } from '@/ui/confirm'
import { notify } from '@/ui/notify'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { nameOf, type User } from './api'
import { clientOf, endSessions, MAX_SESSIONS, sessionsQuery, type UserSession } from './sessions'
import classes from './user-drawer.module.css'

/** The sessions of an account, with buttons to end them. */
export function UserSessions({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const sessions = useQuery(sessionsQuery(user.id))
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('sessions.help')}
      </Text>
      {sessions.isPending ? (
        <SkeletonRows rows={3} height={52} />
      ) : sessions.isError ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : sessions.data.length === 0 ? (
        <Text size="sm">{t('sessions.none')}</Text>
      ) : (
        <>
          <Stack gap="xs" role="list">
            {sessions.data.slice(0, MAX_SESSIONS).map((session) => (
              <SessionRow key={session.id} user={user} session={session} />
            ))}
          </Stack>
          {sessions.data.length > MAX_SESSIONS ? (
            <Text size="xs" c="dimmed">
              {t('sessions.more')}
            </Text>
          ) : null}
          <EndAll user={user} />
        </>
      )}
    </Stack>
  )
}

function useEndSessions(user: User, message: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: endSessions,
    onSuccess: () => notify(message),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery(user.id).queryKey }),
  })
}

function SessionRow({ user, session }: { user: User; session: UserSession }) {
  const { t } = useTranslation('users')
  const mayChange = useMayChange()
  const end = useEndSessions(user, t('sessions.ended'))
  const name = clientOf(session.agent) ?? t('sessions.noClient')
  return (
    <div className={classes.method} role="listitem">
      <IconDevices size={18} aria-hidden />
      <div>
        <Text size="sm" fw={500} truncate title={session.agent ?? undefined}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {t('sessions.began')} <When at={session.began} />
          {session.renewed ? (
            <>
              {', '}
              {t('sessions.used')} <When at={session.renewed} />
            </>
          ) : null}
          {session.address ? ` · ${session.address}` : null}
        </Text>
        {session.hasSecondFactor ? (
          <Badge variant="light" color="green" size="xs" autoContrast>
            {t('sessions.assured')}
          </Badge>
        ) : null}
      </div>
      {mayChange ? (
        <Button
          variant="default"
          size="compact-sm"
          loading={end.isPending}
          aria-label={t('sessions.endNamed', { name })}
          onClick={() => end.mutate({ user: user.id, session: session.id })}
        >
          {t('sessions.end')}
        </Button>
      ) : null}
    </div>
  )
}

function EndAll({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const mayChange = useMayChange()
  const name = nameOf(user)
  const end = useEndSessions(user, t('sessions.allEnded', { name }))
  if (!mayChange) return null
  return (
    <Group>
      <Button
        color="red"
        variant="light"
        loading={end.isPending}
        onClick={() =>
          confirm({
            title: t('sessions.endAllTitle', { name }),
            text: t('sessions.endAllText'),
            action: t('sessions.endAll'),
            onConfirm: () => end.mutate({ user: user.id }),
          })
        }
      >
        {t('sessions.endAll')}
      </Button>
    </Group>
  )
}
