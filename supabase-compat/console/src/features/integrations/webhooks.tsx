/** Webhooks of tables, and the results of the calls. */
import { ActionIcon, Badge, Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconDots, IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayChange } from '@/app/session'
import { Cell, linkClass, ListTable, rowClass } from '@/ui/list-table'
import { Section } from '@/ui/section'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { Absent } from './absent'
import { callsQuery, webhooksQuery, type AvailableFeatures, type Webhook } from './api'
import { dropWebhookSql, switchWebhookSql } from './statements'

const WebhookForm = lazy(() => import('./webhook-form').then((module) => ({ default: module.WebhookForm })))

export function Webhooks({ available }: { available: AvailableFeatures }) {
  if (!available.webhooks) return <Absent extension="pg_net" />
  return (
    <Stack gap="md">
      <Hooks />
      {available.calls ? <Calls /> : null}
    </Stack>
  )
}

/** The address that a trigger calls: its first argument. */
export function addressOf(definition: string): string {
  return /http_request\('((?:[^']|'')*)'/.exec(definition)?.[1]?.replaceAll("''", "'") ?? ''
}

function Hooks() {
  const { t } = useTranslation('integrations')
  const hooks = useQuery(webhooksQuery)
  const client = useQueryClient()
  const mayChange = useMayChange()
  const [isNew, setIsNew] = useState(false)
  const [prepared, setPrepared] = useState<PreparedSql | null>(null)
  if (hooks.isPending) return <SkeletonRows rows={4} height={48} />
  if (hooks.isError) return <ErrorState error={hooks.error} onRetry={() => void hooks.refetch()} />
  return (
    <>
      {mayChange ? (
        <Group justify="flex-end">
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setIsNew(true)}>
            {t('webhooks.new')}
          </Button>
        </Group>
      ) : null}
      {hooks.data.length === 0 ? (
        <EmptyState icon={IconWebhook} title={t('webhooks.none')} text={t('webhooks.noneText')} />
      ) : (
        <HookTable hooks={hooks.data} onPrepare={mayChange ? setPrepared : null} />
      )}
      <Suspense>
        {isNew ? (
          <WebhookForm isCovered={prepared !== null} onClose={() => setIsNew(false)} onPrepare={setPrepared} />
        ) : null}
      </Suspense>
      <SqlPreview
        prepared={prepared}
        onClose={() => setPrepared(null)}
        onDone={() => {
          setIsNew(false)
          void client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
        }}
      />
    </>
  )
}

function HookTable({
  hooks,
  onPrepare,
}: {
  hooks: Webhook[]
  /** Null for an operator with read access only. */
  onPrepare: ((prepared: PreparedSql) => void) | null
}) {
  const { t } = useTranslation('integrations')
  return (
    <ListTable
      label={t('parts.webhooks')}
      columns={[
        { key: 'table', label: t('webhooks.table') },
        { key: 'address', label: t('webhooks.address'), from: 'sm' },
        { key: 'last', label: t('webhooks.last'), width: 150, from: 'sm', isEnd: true },
        { key: 'actions', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 56 },
      ]}
    >
      {hooks.map((hook) => (
        <tr key={`${hook.schema}.${hook.table}.${hook.name}`} className={rowClass}>
          <Cell title={hook.name}>
            <Link
              to={`/tables/${encodeURIComponent(hook.schema)}/${encodeURIComponent(hook.table)}?view=structure`}
              className={linkClass}
            >
              {hook.schema}.{hook.table}
            </Link>{' '}
            <Text span size="xs" c="dimmed">
              {hook.name}
            </Text>
            <Text size="xs" c="dimmed" hiddenFrom="sm" truncate className="mono">
              {addressOf(hook.definition)}
            </Text>
            {hook.enabled ? null : (
              <Badge ml={6} variant="light" color="gray">
                {t('cron.off')}
              </Badge>
            )}
          </Cell>
          <Cell from="sm" title={addressOf(hook.definition)}>
            <span className="mono">{addressOf(hook.definition)}</span>
          </Cell>
          <Cell from="sm" isEnd>
            <When at={hook.last_at} />
          </Cell>
          <Cell>{onPrepare ? <HookMenu hook={hook} onPrepare={onPrepare} /> : null}</Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function HookMenu({ hook, onPrepare }: { hook: Webhook; onPrepare: (prepared: PreparedSql) => void }) {
  const { t } = useTranslation('integrations')
  const change = hook.enabled ? t('webhooks.disable') : t('webhooks.enable')
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name: hook.name })}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onPrepare({ title: change, sql: switchWebhookSql(hook) })}>{change}</Menu.Item>
        <Menu.Item
          color="red"
          onClick={() =>
            onPrepare({ title: t('webhooks.drop'), sql: dropWebhookSql(hook), warning: t('webhooks.dropWarning') })
          }
        >
          {t('webhooks.drop')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Calls() {
  const { t } = useTranslation('integrations')
  const calls = useQuery({ ...callsQuery, refetchInterval: 5000 })
  return (
    <Section title={t('webhooks.calls')} description={t('webhooks.callsText')}>
      {calls.isPending ? (
        <SkeletonRows rows={4} height={40} />
      ) : calls.isError ? (
        <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />
      ) : calls.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('webhooks.noCalls')}
        </Text>
      ) : (
        <ListTable
          label={t('webhooks.calls')}
          isWrapped
          columns={[
            { key: 'id', label: t('webhooks.call'), width: 90 },
            { key: 'status', label: t('webhooks.answer') },
            { key: 'at', label: t('webhooks.at'), width: 130, isEnd: true },
          ]}
        >
          {calls.data.map((call) => (
            <tr key={call.id}>
              <Cell>{call.id}</Cell>
              <Cell>
                {call.status === null ? (
                  <Text span size="sm" c="red">
                    {call.timed_out ? t('webhooks.timedOut') : (call.error ?? '–')}
                  </Text>
                ) : (
                  <Badge variant="light" color={call.status < 400 ? 'green' : 'red'}>
                    {call.status}
                  </Badge>
                )}
              </Cell>
              <Cell isEnd>
                <When at={call.at} />
              </Cell>
            </tr>
          ))}
        </ListTable>
      )}
    </Section>
  )
}
