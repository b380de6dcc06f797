/** The project at a glance: services, requests, database, and notices. */
import { Anchor, Group, Skeleton, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { adviceQuery, countByLevel } from '@/features/advice/api'
import { useFormats } from '@/i18n/format'
import { Cell, ListTable } from '@/ui/list-table'
import { ScreenFrame } from '@/ui/screen'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { StatusDot } from '@/ui/status-dot'
import { When } from '@/ui/when'
import { everyMinute, overviewQuery, type Overview } from './api'
import { RequestsChart } from './requests-chart'
import classes from './screen.module.css'

export function Screen() {
  const { t } = useTranslation('overview')
  const overview = useQuery(overviewQuery)
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      {overview.isError && !overview.data ? (
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <div className={classes.grid}>
          <Figures overview={overview.data} />
          <Section title={t('requests.title')}>
            {overview.data ? (
              <RequestsChart minutes={everyMinute(overview.data.requests, overview.dataUpdatedAt)} />
            ) : (
              <Skeleton height={148} />
            )}
          </Section>
          <div className={classes.halves}>
            <Section title={t('services.title')}>
              {overview.data ? <Services services={overview.data.services} /> : <SkeletonRows rows={3} height={26} />}
            </Section>
            <AdviceSummary />
          </div>
          <SlowStatements overview={overview.data} />
        </div>
      )}
    </ScreenFrame>
  )
}

function Figures({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation('overview')
  const formats = useFormats()
  const database = overview?.database
  return (
    <div className={classes.figures}>
      <Figure label={t('figures.size')} value={database && formats.size(database.size_bytes)} />
      <Figure
        label={t('figures.connections')}
        value={database && `${formats.number(database.connections)} / ${formats.number(database.max_connections)}`}
      />
      <Figure label={t('figures.postgres')} value={database && /\d+(\.\d+)?/.exec(database.version)?.[0]} />
      <Figure label={t('figures.backup')} value={overview && <LastBackup overview={overview} />} />
    </div>
  )
}

/** The last backup, and whether a later one failed. */
function LastBackup({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview')
  const { last_backup: last, last_failed_backup: failed } = overview
  const isFailed = failed && (!last || Date.parse(failed) > Date.parse(last))
  return (
    <Anchor component={Link} to="/backups" c={isFailed ? 'red' : undefined} inherit>
      {isFailed ? t('figures.failedBackup') : last ? <When at={last} /> : t('figures.noBackup')}
    </Anchor>
  )
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className={classes.figure}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className={classes.value}>{value ?? <Skeleton height={22} width={90} my={4} />}</div>
    </div>
  )
}

function Services({ services }: { services: Overview['services'] }) {
  const { t } = useTranslation('overview')
  return (
    <ul className={classes.services}>
      {services.map(({ name, status, detail }) => (
        <li key={name} className={classes.service} title={detail}>
          <StatusDot tone={status === 'up' ? 'good' : status === 'down' ? 'bad' : 'off'} />
          <Text size="sm" truncate>
            {name}
          </Text>
          <Text size="xs" c="dimmed" ml="auto">
            {t(`services.${status}`)}
          </Text>
        </li>
      ))}
    </ul>
  )
}

function AdviceSummary() {
  const { t } = useTranslation('overview')
  const advice = useQuery(adviceQuery)
  const counts = advice.data ? countByLevel(advice.data) : null
  const total = advice.data?.length ?? 0
  return (
    <Section title={t('advice.title')}>
      {advice.isError ? (
        <ErrorState error={advice.error} onRetry={() => void advice.refetch()} />
      ) : !counts ? (
        <SkeletonRows rows={2} height={26} />
      ) : (
        <>
          {total === 0 ? (
            <Text size="sm">{t('advice.none')}</Text>
          ) : (
            <Group gap="lg" mb="sm">
              {(['ERROR', 'WARN', 'INFO'] as const).map((level) => (
                <Group key={level} gap={8}>
                  <StatusDot tone={level === 'ERROR' ? 'bad' : level === 'WARN' ? 'warning' : 'off'} />
                  <Text size="sm">{t(`advice.${level}`, { count: counts[level] })}</Text>
                </Group>
              ))}
            </Group>
          )}
          <Anchor component={Link} to="/advice" size="sm">
            <Group gap={4} component="span">
              {t('advice.read')}
              <IconArrowRight size={15} aria-hidden />
            </Group>
          </Anchor>
        </>
      )}
    </Section>
  )
}

function SlowStatements({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation('overview')
  const formats = useFormats()
  if (!overview) return <Skeleton height={120} radius="md" />
  const { slow_statements: statements, slow_statements_available: isAvailable = true } = overview
  if (statements.length === 0)
    return (
      <Section title={t('slow.title')}>
        <Text size="sm" c="dimmed">
          {isAvailable ? t('slow.none') : t('slow.unavailable')}
        </Text>
      </Section>
    )
  return (
    <Section title={t('slow.title')} isFlush>
      <ListTable
        label={t('slow.title')}
        columns={[
          { key: 'query', label: t('slow.statement') },
          { key: 'calls', label: t('slow.calls'), width: 90, from: 'sm', isEnd: true },
          { key: 'mean', label: t('slow.mean'), width: 100, isEnd: true },
          { key: 'total', label: t('slow.total'), width: 100, from: 'sm', isEnd: true },
        ]}
      >
        {statements.map(({ query, calls, mean_ms, total_ms }) => (
          <tr key={query}>
            <Cell title={query}>
              <span className="mono">{query}</span>
            </Cell>
            <Cell from="sm" isEnd>
              {formats.number(calls)}
            </Cell>
            <Cell isEnd>{formats.milliseconds(mean_ms)}</Cell>
            <Cell from="sm" isEnd>
              {formats.milliseconds(total_ms)}
            </Cell>
          </tr>
        ))}
      </ListTable>
    </Section>
  )
}
