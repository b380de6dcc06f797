/** The output of a function, polled while it is shown. */
import { Button, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { functionLogQuery } from '@/features/logs/api'
import { useFormats } from '@/i18n/format'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { StatusDot } from '@/ui/status-dot'
import classes from './function-log.module.css'

/** Milliseconds between two reads. */
const POLL_INTERVAL = 2000

export function FunctionLog({ name }: { name: string }) {
  const { t } = useTranslation('functions')
  const { time, dateTime } = useFormats()
  const [isFollowed, setIsFollowed] = useState(true)
  const log = useQuery({ ...functionLogQuery(name), refetchInterval: isFollowed ? POLL_INTERVAL : false })
  return (
    <Section
      title={t('log.title')}
      description={t('log.description')}
      actions={
        <Button
          size="xs"
          variant={isFollowed ? 'light' : 'default'}
          leftSection={isFollowed ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />}
          rightSection={isFollowed ? <StatusDot tone="good" /> : null}
          aria-pressed={isFollowed}
          onClick={() => setIsFollowed(!isFollowed)}
        >
          {isFollowed ? t('log.pause') : t('log.follow')}
        </Button>
      }
    >
      {log.isPending ? (
        <SkeletonRows rows={4} height={24} />
      ) : log.isError ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : log.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('log.none')}
        </Text>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ol className={classes.lines} aria-label={t('log.title')} tabIndex={0}>
          {log.data.map((line) => (
            <li key={line.id} className={classes.line} data-severity={line.severity}>
              <time dateTime={new Date(line.timestamp / 1000).toISOString()} title={dateTime(line.timestamp / 1000)}>
                {time(line.timestamp / 1000)}
              </time>
              {line.request_id ? (
                <Link to={`/logs?request=${encodeURIComponent(line.request_id)}`}>{line.event_message}</Link>
              ) : (
                <span>{line.event_message}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
