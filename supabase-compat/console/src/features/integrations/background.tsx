/** The program's background work, and its durable queues. */
import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { Cell, ListTable } from '@/ui/list-table'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { failedJobsQuery, outboxCountsQuery, outboxesQuery, tasksQuery, type Outbox, type TaskRow } from './api'

export function Background() {
  const outboxes = useQuery(outboxesQuery)
  return (
    <Stack gap="md">
      {outboxes.isPending ? (
        <SkeletonRows rows={3} height={48} />
      ) : outboxes.isError ? (
        <ErrorState error={outboxes.error} onRetry={() => void outboxes.refetch()} />
      ) : (
        outboxes.data.map((outbox) => <OutboxView key={`${outbox.schema}.${outbox.table}`} outbox={outbox} />)
      )}
      <Tasks />
    </Stack>
  )
}

function OutboxView({ outbox }: { outbox: Outbox }) {
  const { t } = useTranslation('integrations')
  const { number } = useFormats()
  const counts = useQuery({ ...outboxCountsQuery(outbox), refetchInterval: 5000 })
  return (
    <Section title={`${outbox.schema}.${outbox.table}`} description={t('background.outbox')}>
      {counts.isPending ? (
        <SkeletonRows rows={1} />
      ) : counts.isError ? (
        <ErrorState error={counts.error} onRetry={() => void counts.refetch()} />
      ) : (
        <Stack gap="sm">
          <Group gap="lg">
            <Text size="sm">{t('background.waiting', { count: number(counts.data.waiting) })}</Text>
            <Text size="sm" c={counts.data.given_up > 0 ? 'red' : undefined}>
              {t('background.givenUp', { count: number(counts.data.given_up) })}
            </Text>
            <Text size="sm" c="dimmed">
              {t('background.nextDue')} <When at={counts.data.next_due} />
            </Text>
          </Group>
          <FailedJobs outbox={outbox} />
        </Stack>
      )}
    </Section>
  )
}

function FailedJobs({ outbox }: { outbox: Outbox }) {
  const { t } = useTranslation('integrations')
  const jobs = useQuery(failedJobsQuery(outbox))
  if (jobs.isPending) return <SkeletonRows rows={2} height={40} />
  if (jobs.isError) return <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />
  if (jobs.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('background.noFailures')}
      </Text>
    )
  return (
    <ListTable
      label={t('background.failures')}
      isWrapped
      columns={[
        { key: 'kind', label: t('background.kind'), width: 150 },
        { key: 'reason', label: t('background.reason') },
        { key: 'attempts', label: t('background.attempts'), width: 100, from: 'sm', isEnd: true },
        { key: 'at', label: t('background.put'), width: 130, from: 'sm', isEnd: true },
      ]}
    >
      {jobs.data.map((job) => (
        <tr key={job.id}>
          <Cell>{job.kind}</Cell>
          <Cell>{job.reason ?? '–'}</Cell>
          <Cell from="sm" isEnd>
            {job.attempts}
          </Cell>
          <Cell from="sm" isEnd>
            <When at={job.put_at} />
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function Tasks() {
  const { t } = useTranslation('integrations')
  const tasks = useQuery({ ...tasksQuery, refetchInterval: 5000 })
  return (
    <Section title={t('background.tasks')} description={t('background.tasksText')}>
      {tasks.isPending ? (
        <SkeletonRows rows={6} height={40} />
      ) : tasks.isError ? (
        <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />
      ) : (
        <ListTable
          label={t('background.tasks')}
          isWrapped
          columns={[
            { key: 'name', label: t('background.task') },
            { key: 'state', label: t('background.state'), width: 130 },
            { key: 'since', label: t('background.since'), width: 150, from: 'sm', isEnd: true },
          ]}
        >
          {tasks.data.map((task) => (
            <Task key={task.name} task={task} />
          ))}
        </ListTable>
      )}
    </Section>
  )
}

function Task({ task: { name, since, failures } }: { task: TaskRow }) {
  const { t } = useTranslation('integrations')
  return (
    <tr>
      <Cell title={name}>
        <span className="mono">{name}</span>
      </Cell>
      <Cell>
        <Badge variant="light" color={since === null ? 'red' : failures > 0 ? 'yellow' : 'green'}>
          {since === null
            ? t('background.paused')
            : failures > 0
              ? t('background.restarted', { count: failures })
              : t('background.running')}
        </Badge>
      </Cell>
      <Cell from="sm" isEnd>
        <When at={since} />
      </Cell>
    </tr>
  )
}
