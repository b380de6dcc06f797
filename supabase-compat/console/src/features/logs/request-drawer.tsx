/** One request with all its lines. */
import { Alert, Code, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useFormats } from '@/i18n/format'
import { CodeBlock, CopyLine } from '@/ui/code-block'
import { ErrorState } from '@/ui/states'
import { traceQuery, type LogLine, type RequestTrace } from './api'
import classes from './request-drawer.module.css'
import { StatusCode } from './status-code'

export function RequestDrawer() {
  const { t } = useTranslation('logs')
  const [parameters, setParameters] = useSearchParams()
  const id = parameters.get('request')
  const close = () =>
    setParameters((before) => {
      const next = new URLSearchParams(before)
      next.delete('request')
      return next
    })
  return (
    <Drawer
      opened={id !== null}
      onClose={close}
      position="right"
      size={600}
      title={t('request')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {id ? <Trace id={id} /> : null}
    </Drawer>
  )
}

function Trace({ id }: { id: string }) {
  const { t } = useTranslation('logs')
  const trace = useQuery(traceQuery(id))
  if (trace.isPending)
    return (
      <Stack>
        <Skeleton height={36} />
        <Skeleton height={180} />
      </Stack>
    )
  if (trace.isError) return <ErrorState error={trace.error} onRetry={() => void trace.refetch()} />
  const { request } = trace.data
  return (
    <Stack gap="md">
      {request ? <Facts request={request} /> : <Alert color="gray">{t('gone')}</Alert>}
      <CopyLine value={id} label={t('requestId')} />
      <Lines trace={trace.data} />
    </Stack>
  )
}

function Facts({ request }: { request: LogLine }) {
  const { t } = useTranslation('logs')
  const formats = useFormats()
  const facts = [
    ['time', formats.dateTime(request.timestamp / 1000)],
    [
      'duration',
      request.duration === null || request.duration === undefined ? '–' : formats.milliseconds(request.duration),
    ],
    ['role', request.role ?? '–'],
    ['user', request.account ? <Link to={`/users/${request.account}`}>{request.account}</Link> : '–'],
    ['code', request.code ?? '–'],
  ] as const
  return (
    <>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <StatusCode status={request.status ?? 0} />
        <Text size="sm" className={`mono ${classes.path}`}>
          {request.method} {request.path}
          {request.search}
        </Text>
      </Group>
      {request.error ? <Alert color="red">{request.error}</Alert> : null}
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Lines({ trace }: { trace: RequestTrace }) {
  const { t } = useTranslation('logs')
  const formats = useFormats()
  return (
    <section>
      <Title order={3} size="h6" mb="xs">
        {t('lines')}
      </Title>
      {trace.lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noLines')}
        </Text>
      ) : (
        <ol className={classes.lines}>
          {trace.lines.map((line) => (
            <li key={`${line.source} ${line.id}`}>
              <Group gap="xs">
                <Text size="xs" c="dimmed" className="mono">
                  {formats.time(line.timestamp / 1000)}
                </Text>
                <Text size="xs" fw={500}>
                  {line.source}
                </Text>
                {line.severity ? <Code>{line.severity}</Code> : null}
                {line.code ? <Code>{line.code}</Code> : null}
              </Group>
              <Text size="sm" className={classes.path}>
                {line.event_message}
              </Text>
              {line.query ? <CodeBlock code={line.query} label="SQL" maxHeight={200} /> : null}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
