/** Sign-in providers: which are enabled, and the callback address of each. */
import { Badge, Group, Stack, Switch, Text } from '@mantine/core'
import { IconPlugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyLine } from '@/ui/code-block'
import { Section } from '@/ui/section'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { providersQuery, type ProviderRow } from './api'
import { CustomProviders } from './custom-providers'
import { SettingNames } from './setting-names'

export function Providers() {
  const { t } = useTranslation('authentication')
  const providers = useQuery(providersQuery)
  const [showsAll, setShowsAll] = useState(false)
  if (providers.isPending) return <SkeletonRows rows={6} height={64} />
  if (providers.isError) return <ErrorState error={providers.error} onRetry={() => void providers.refetch()} />
  const { custom } = providers.data
  const visible = providers.data.providers.filter(({ enabled }) => showsAll || enabled)
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw="70ch">
          {t('providers.explanation')}
        </Text>
        <Switch
          label={t('providers.all')}
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      </Group>
      {visible.length === 0 ? (
        <EmptyState icon={IconPlugOff} title={t('providers.none')} text={t('providers.noneText')} />
      ) : (
        visible.map((provider) => <Provider key={provider.name} provider={provider} />)
      )}
      {custom.enabled ? <CustomProviders callback={custom.callback} /> : null}
    </Stack>
  )
}

function Provider({ provider }: { provider: ProviderRow }) {
  const { t } = useTranslation('authentication')
  const { name, enabled, client_id: clientId, callback, variable, key } = provider
  return (
    <Section
      title={name}
      actions={
        <Badge variant="light" color={enabled ? 'green' : 'gray'}>
          {enabled ? t('providers.on') : t('providers.off')}
        </Badge>
      }
    >
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('providers.callback')}
        </Text>
        <CopyLine value={callback} label={t('providers.callbackOf', { name })} />
        {clientId ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('providers.client', { id: clientId })}
          </Text>
        ) : null}
        <SettingNames names={[`${variable}*`, `[${key}]`]} />
      </Stack>
    </Section>
  )
}
