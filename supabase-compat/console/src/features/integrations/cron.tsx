/** Cron jobs: schedule, runs, and a button that starts one now. */
import { ActionIcon, Badge, Button, Code, Drawer, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconClock, IconDots, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { Cell, ListTable } from '@/ui/list-table'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { Absent } from './absent'
import { dropJobSql, jobsQuery, runJobSql, runsQuery, switchJobSql, type CronJob, type AvailableFeatures } from './api'
import { JobForm } from './job-form'

/** Milliseconds between two reads: runs begin and end by the clock. */
const POLL_INTERVAL = 5000

export function Cron({ available }: { available: AvailableFeatures }) {
  if (!available.cron) return <Absent extension="pg_cron" />
  return <Jobs hasDueTimes={available.due_times} />
}

function Jobs({ hasDueTimes }: { hasDueTimes: boolean }) {
  const { t } = useTranslation('integrations')
  const client = useQueryClient()
  const mayChange = useMayChange()
  const jobs = useQuery({ ...jobsQuery(hasDueTimes), refetchInterval: POLL_INTERVAL })
  const [prepared, setPrepared] = useState<PreparedSql | null>(null)
  const [selected, setSelected] = useState<CronJob | null>(null)
  /** The job in the form; `new` for a new one. */
  const [written, setWritten] = useState<CronJob | 'new' | null>(null)
  if (jobs.isPending) return <SkeletonRows rows={5} height={48} />
  if (jobs.isError) return <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />
  const actions = (job: CronJob) => [
    {
      label: t('cron.run'),
      prepare: {
        title: t('cron.run'),
        sql: hasDueTimes && job.active ? runJobSql(job.id) : job.command,
        ...(hasDueTimes && job.active ? {} : { warning: t('cron.runByHand') }),
      },
    },
    {
      label: job.active ? t('cron.disable') : t('cron.enable'),
      prepare: { title: job.active ? t('cron.disable') : t('cron.enable'), sql: switchJobSql(job.id, !job.active) },
    },
    {
      label: t('cron.drop'),
      isDangerous: true,
      prepare: { title: t('cron.drop'), sql: dropJobSql(job.id), warning: t('cron.dropWarning') },
    },
  ]
  return (
    <>
      {mayChange ? (
        <Group justify="flex-end" mb="sm">
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setWritten('new')}>
            {t('cron.new')}
          </Button>
        </Group>
      ) : null}
      {jobs.data.length === 0 ? <EmptyState icon={IconClock} title={t('cron.none')} text={t('cron.noneText')} /> : null}
      <ListTable
        label={t('parts.cron')}
        columns={[
          { key: 'name', label: t('cron.job') },
          { key: 'schedule', label: t('cron.schedule'), width: 150 },
          { key: 'last', label: t('cron.last'), width: 170, from: 'sm' },
          { key: 'next', label: t('cron.next'), width: 130, from: 'md' },
          { key: 'actions', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 56 },
        ]}
      >
        {jobs.data.map((job) => (
          <tr key={job.id}>
            <Cell title={job.command}>
              <Text size="sm" fw={500} truncate>
                {job.name ?? t('cron.unnamed', { id: job.id })}
                {job.active ? null : (
                  <Badge ml={6} variant="light" color="gray">
                    {t('cron.off')}
                  </Badge>
                )}
              </Text>
              <Text size="xs" c="dimmed" truncate className="mono">
                {job.command}
              </Text>
            </Cell>
            <Cell>
              <span className="mono">{job.schedule}</span>
            </Cell>
            <Cell from="sm">
              {job.last_status ? <RunStatus status={job.last_status} /> : null} <When at={job.last_at} />
            </Cell>
            <Cell from="md">{job.active ? <When at={job.next_at} /> : '–'}</Cell>
            <Cell>
              <Menu position="bottom-end" withinPortal>
                <Menu.Target>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('actionsFor', { name: job.name ?? t('cron.unnamed', { id: job.id }) })}
                  >
                    <IconDots size={17} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setSelected(job)}>{t('cron.runs')}</Menu.Item>
                  {mayChange ? <Menu.Item onClick={() => setWritten(job)}>{t('cron.change')}</Menu.Item> : null}
                  {mayChange
                    ? actions(job).map(({ label, prepare, isDangerous }) => (
                        <Menu.Item
                          key={label}
                          color={isDangerous ? 'red' : undefined}
                          onClick={() => setPrepared(prepare)}
                        >
                          {label}
                        </Menu.Item>
                      ))
                    : null}
                </Menu.Dropdown>
              </Menu>
            </Cell>
          </tr>
        ))}
      </ListTable>
      {written ? (
        <JobForm
          job={written === 'new' ? null : written}
          isCovered={prepared !== null}
          onClose={() => setWritten(null)}
          onPrepare={(statement) => setPrepared(statement)}
        />
      ) : null}
      <SqlPreview
        prepared={prepared}
        onClose={() => setPrepared(null)}
        onDone={() => {
          setWritten(null)
          void client.invalidateQueries({ queryKey: ['integrations', 'cron'] })
        }}
      />
      <RunDrawer job={selected} onClose={() => setSelected(null)} />
    </>
  )
}

function RunStatus({ status }: { status: string }) {
  const colour = status === 'succeeded' ? 'green' : status === 'failed' ? 'red' : 'gray'
  return (
    <Badge variant="light" color={colour}>
      {status}
    </Badge>
  )
}

function RunDrawer({ job, onClose }: { job: CronJob | null; onClose: () => void }) {
  const { t } = useTranslation('integrations')
  return (
    <Drawer
      opened={job !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={job?.name ?? t('cron.runs')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {job ? (
        <Stack gap="md">
          <Code block>{job.command}</Code>
          <Runs job={job.id} />
        </Stack>
      ) : null}
    </Drawer>
  )
}

function Runs({ job }: { job: string }) {
  const { t } = useTranslation('integrations')
  const { dateTime, milliseconds } = useFormats()
  const runs = useQuery({ ...runsQuery(job), refetchInterval: POLL_INTERVAL })
  if (runs.isPending) return <SkeletonRows rows={4} height={44} />
  if (runs.isError) return <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />
  if (runs.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('cron.noRuns')}
      </Text>
    )
  return (
    <ListTable
      label={t('cron.runs')}
      isWrapped
      columns={[
        { key: 'status', label: t('cron.status'), width: 110 },
        { key: 'message', label: t('cron.message') },
        { key: 'at', label: t('cron.at'), width: 150, isEnd: true },
      ]}
    >
      {runs.data.map((run) => (
        <tr key={run.id}>
          <Cell>
            <RunStatus status={run.status} />
          </Cell>
          <Cell>{run.message ?? '–'}</Cell>
          <Cell isEnd>
            {dateTime(run.start_at)}
            {run.milliseconds === null ? null : ` · ${milliseconds(run.milliseconds)}`}
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}
