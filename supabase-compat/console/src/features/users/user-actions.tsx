/** The actions of an operator on an account. */
import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { CopyLine } from '@/ui/code-block'
import { confirm } from '@/ui/confirm'
import { notify, notifyWithUndo } from '@/ui/notify'
import {
  changeUser,
  deleteUser,
  FOREVER,
  makeLink,
  nameOf,
  sendMagicLink,
  sendRecovery,
  statusOf,
  usersKey,
  type User,
} from './api'
import classes from './user-drawer.module.css'

const BANS = ['24h', '168h', '720h', FOREVER] as const

export function UserActions({ user }: { user: User }) {
  return (
    <div>
      {user.email ? <Mails user={user} /> : null}
      <Ban user={user} />
      <Deletion user={user} />
    </div>
  )
}

function Action({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={classes.action}>
      <div>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {children}
    </div>
  )
}

function Mails({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const recovery = useMutation({
    mutationFn: sendRecovery,
    onSuccess: () => notify(t('mails.sent', { email: user.email })),
  })
  const magic = useMutation({
    mutationFn: sendMagicLink,
    onSuccess: () => notify(t('mails.sent', { email: user.email })),
  })
  const link = useMutation({ mutationFn: makeLink })
  return (
    <>
      <Action title={t('mails.recovery')} text={t('mails.recoveryText')}>
        <Button variant="default" loading={recovery.isPending} onClick={() => recovery.mutate(user.email)}>
          {t('mails.send')}
        </Button>
      </Action>
      <Action title={t('mails.magic')} text={t('mails.magicText')}>
        <Button variant="default" loading={magic.isPending} onClick={() => magic.mutate(user.email)}>
          {t('mails.send')}
        </Button>
      </Action>
      <Action title={t('mails.link')} text={t('mails.linkText')}>
        <Group gap="xs">
          {(['magiclink', 'recovery'] as const).map((type) => (
            <Button
              key={type}
              variant="default"
              loading={link.isPending && link.variables.type === type}
              onClick={() => link.mutate({ email: user.email, type })}
            >
              {t(type === 'magiclink' ? 'mails.toSignIn' : 'mails.toRecover')}
            </Button>
          ))}
        </Group>
      </Action>
      {link.data ? (
        <Stack py="sm" gap={4}>
          <CopyLine value={link.data.action_link} label={t('mails.link')} />
          <Text size="xs" c="dimmed">
            {t('mails.linkWarning')}
          </Text>
        </Stack>
      ) : null}
    </>
  )
}

function Ban({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const name = nameOf(user)
  const isBanned = statusOf(user) === 'banned'
  const change = useMutation({
    mutationFn: (duration: string) => changeUser({ id: user.id, ban_duration: duration }),
    onSuccess: (_user, duration) =>
      duration === 'none'
        ? notify(t('ban.lifted', { name }))
        : notifyWithUndo(t('ban.done', { name }), () => change.mutate('none')),
    onSettled: () => client.invalidateQueries({ queryKey: usersKey }),
  })
  if (isBanned)
    return (
      <Action title={t('ban.lift')} text={t('ban.liftText')}>
        <Button variant="default" loading={change.isPending} onClick={() => change.mutate('none')}>
          {t('ban.lift')}
        </Button>
      </Action>
    )
  return (
    <Action title={t('ban.title')} text={t('ban.text')}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={change.isPending} rightSection={<IconChevronDown size={15} />}>
            {t('ban.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {BANS.map((duration) => (
            <Menu.Item key={duration} onClick={() => change.mutate(duration)}>
              {t(`ban.durations.${duration}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Action>
  )
}

function Deletion({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  const name = nameOf(user)
  const deletion = useMutation({
    mutationFn: deleteUser,
    onSuccess: async () => {
      notify(t('deletion.done', { name }))
      await navigate({ pathname: '/users', search })
      // The account is deleted, but its panel may still be closing: refetching it would fail.
      client.removeQueries({ queryKey: [...usersKey, 'one', user.id], type: 'inactive' })
      await client.invalidateQueries({ queryKey: [...usersKey, 'list'] })
    },
  })
  return (
    <Action title={t('deletion.title')} text={t('deletion.text')}>
      <Button
        color="red"
        variant="light"
        loading={deletion.isPending}
        onClick={() =>
          confirm({
            title: t('deletion.confirm', { name }),
            text: t('deletion.confirmText'),
            action: t('deletion.submit'),
            onConfirm: () => deletion.mutate(user.id),
          })
        }
      >
        {t('deletion.submit')}
      </Button>
    </Action>
  )
}
