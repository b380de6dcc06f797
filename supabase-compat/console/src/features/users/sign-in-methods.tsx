import { ActionIcon, Badge, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconDeviceMobile, IconId, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { confirm } from '@/ui/confirm'
import { notify } from '@/ui/notify'
import { When } from '@/ui/when'
import { deleteFactor, usersKey, type Factor, type User } from './api'
import classes from './user-drawer.module.css'

/** The identities of an account and its second factors. */
export function SignInMethods({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const identities = user.identities ?? []
  const factors = user.factors ?? []
  return (
    <Stack gap="lg">
      <section>
        <Title order={3} size="h6" mb="xs">
          {t('methods.identities')}
        </Title>
        <Stack gap="xs">
          {identities.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('methods.noIdentities')}
            </Text>
          ) : null}
          {identities.map((identity) => (
            <div key={identity.identity_id ?? identity.id} className={classes.method}>
              <IconId size={18} aria-hidden />
              <div>
                <Text size="sm" fw={500}>
                  {identity.provider}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {typeof identity.identity_data?.email === 'string' ? identity.identity_data.email : identity.id}
                </Text>
              </div>
              <Text size="xs" c="dimmed">
                <When at={identity.last_sign_in_at} />
              </Text>
            </div>
          ))}
        </Stack>
      </section>
      <section>
        <Title order={3} size="h6" mb="xs">
          {t('methods.factors')}
        </Title>
        <Stack gap="xs">
          {factors.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('methods.noFactors')}
            </Text>
          ) : null}
          {factors.map((factor) => (
            <FactorRow key={factor.id} user={user} factor={factor} />
          ))}
        </Stack>
      </section>
    </Stack>
  )
}

function FactorRow({ user, factor }: { user: User; factor: Factor }) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const mayChange = useMayChange()
  const name = factor.friendly_name || factor.factor_type
  const removal = useMutation({
    mutationFn: deleteFactor,
    onSuccess: () => notify(t('methods.removed', { name })),
    onSettled: () => client.invalidateQueries({ queryKey: usersKey }),
  })
  return (
    <div className={classes.method}>
      <IconDeviceMobile size={18} aria-hidden />
      <div>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {factor.factor_type} · <When at={factor.created_at} />
        </Text>
      </div>
      <Badge variant="light" color={factor.status === 'verified' ? 'green' : 'gray'} autoContrast>
        {factor.status === 'verified' ? t('methods.verified') : t('methods.unverified')}
      </Badge>
      {mayChange ? (
        <Tooltip label={t('methods.remove')}>
          <ActionIcon
            variant="subtle"
            color="red"
            loading={removal.isPending}
            aria-label={t('methods.removeNamed', { name })}
            onClick={() =>
              confirm({
                title: t('methods.removeTitle', { name }),
                text: t('methods.removeText'),
                action: t('methods.remove'),
                onConfirm: () => removal.mutate({ user: user.id, factor: factor.id }),
              })
            }
          >
            <IconTrash size={17} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </div>
  )
}
