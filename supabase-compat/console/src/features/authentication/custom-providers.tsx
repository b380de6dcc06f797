/**
 * Providers that are added while the server runs. auth/v1 stores them, and never returns a secret.
 */
import { ActionIcon, Badge, Button, Menu, Stack, Text, VisuallyHidden } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { CopyLine } from '@/ui/code-block'
import { confirm } from '@/ui/confirm'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { customProvidersQuery, removeCustomProvider, switchCustomProvider, type CustomProvider } from './api'
import { CustomProviderForm } from './custom-provider-form'

export function CustomProviders({ callback }: { callback: string }) {
  const { t } = useTranslation('authentication')
  const providers = useQuery(customProvidersQuery)
  const mayChange = useMayChange()
  const add = () =>
    modals.open({ title: t('custom.new'), centered: true, size: 'lg', children: <CustomProviderForm /> })
  return (
    <Section
      title={t('custom.title')}
      description={t('custom.description')}
      actions={
        mayChange ? (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
            {t('custom.new')}
          </Button>
        ) : null
      }
    >
      {providers.isPending ? (
        <SkeletonRows rows={2} height={44} />
      ) : providers.isError ? (
        <ErrorState error={providers.error} onRetry={() => void providers.refetch()} />
      ) : (
        <Stack gap="sm">
          {providers.data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('custom.none')}
            </Text>
          ) : (
            <ProviderList providers={providers.data} />
          )}
          <div>
            <Text size="sm" c="dimmed" mb={4}>
              {t('providers.callback')}
            </Text>
            <CopyLine value={callback} label={t('providers.callbackOf', { name: 'custom:…' })} />
          </div>
        </Stack>
      )}
    </Section>
  )
}

function ProviderList({ providers }: { providers: CustomProvider[] }) {
  const { t } = useTranslation('authentication')
  const mayChange = useMayChange()
  return (
    <ListTable
      label={t('custom.title')}
      isWrapped
      columns={[
        { key: 'name', label: t('custom.provider') },
        { key: 'kind', label: t('custom.kind'), width: 150, from: 'sm' },
        { key: 'state', label: t('custom.state'), width: 110 },
        { key: 'actions', label: <VisuallyHidden>{t('custom.actions')}</VisuallyHidden>, width: 56 },
      ]}
    >
      {providers.map((provider) => (
        <tr key={provider.identifier}>
          <Cell>
            <Text size="sm" fw={500}>
              {provider.name}
            </Text>
            <Text size="xs" c="dimmed" className="mono">
              {provider.identifier}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {provider.issuer ?? provider.authorization_url}
            </Text>
          </Cell>
          <Cell from="sm">{t(`custom.kinds.${provider.provider_type}`)}</Cell>
          <Cell>
            <Badge variant="light" color={provider.enabled ? 'green' : 'gray'}>
              {provider.enabled ? t('providers.on') : t('providers.off')}
            </Badge>
          </Cell>
          <Cell>{mayChange ? <ProviderMenu provider={provider} /> : null}</Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function ProviderMenu({ provider: { identifier, name, enabled } }: { provider: CustomProvider }) {
  const { t } = useTranslation('authentication')
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: customProvidersQuery.queryKey })
  const change = useMutation({ mutationFn: switchCustomProvider, onSettled })
  const remove = useMutation({
    mutationFn: removeCustomProvider,
    onSuccess: () => notify(t('custom.removed', { name })),
    onSettled,
  })
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('custom.actionsFor', { name })}
          loading={change.isPending || remove.isPending}
        >
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => change.mutate({ identifier, enabled: !enabled })}>
          {enabled ? t('custom.switchOff') : t('custom.switchOn')}
        </Menu.Item>
        <Menu.Item
          color="red"
          onClick={() =>
            confirm({
              title: t('custom.removeTitle', { name }),
              text: t('custom.removeText'),
              action: t('custom.remove'),
              onConfirm: () => remove.mutate(identifier),
            })
          }
        >
          {t('custom.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
