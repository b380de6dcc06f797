/** Webhooks of tables, and what became of the calls that left the database. */
import { Badge, Stack, Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Cell, linkClass, ListTable, rowClass } from '@/ui/list-table'
import { Section } from '@/ui/section'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { Absent } from './absent'
import { callsQuery, webhooksQuery, type Present } from './api'

export function Webhooks({ present }: { present: Present }) {
  if (!present.webhooks) return <Absent extension="pg_net" />
  return (
    <Stack gap="md">
      <Hooks />
      {present.calls ? <Calls /> : null}
    </Stack>
  )
}

/** The address that a trigger calls: the first of its arguments. */
export function addressOf(definition: string): string {
  return /http_request\('((?:[^']|'')*)'/.exec(definition)?.[1]?.replaceAll("''", "'") ?? ''
}

function Hooks() {
  const { t } = useTranslation('integrations')
  const hooks = useQuery(webhooksQuery)
  if (hooks.isPending) return <SkeletonRows rows={4} height={48} />
  if (hooks.isError) return <ErrorState error={hooks.error} onRetry={() => void hooks.refetch()} />
  if (hooks.data.length === 0)
    return <EmptyState icon={IconWebhook} title={t('webhooks.none')} text={t('webhooks.noneText')} />
  return (
    <ListTable
      label={t('parts.webhooks')}
      columns={[
        { key: 'table', label: t('webhooks.table') },
        { key: 'address', label: t('webhooks.address'), from: 'sm' },
        { key: 'last', label: t('webhooks.last'), width: 150, from: 'sm', isEnd: true },
      ]}
    >
      {hooks.data.map((hook) => (
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
        </tr>
      ))}
    </ListTable>
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
