/**
 * The log: filtered by service, status, path and account, optionally live; a request opens with all
 * its lines.
 */
import { Button, Center, Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { IconListSearch, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ScreenFrame } from '@/ui/screen'
import { SearchField } from '@/ui/search-field'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { StatusDot } from '@/ui/status-dot'
import { useAddressState } from '@/ui/use-address-state'
import {
  logQuery,
  RANGES,
  SERVICE_PATHS,
  SOURCES,
  STATUS_CLASSES,
  type LogFilter,
  type Range,
  type Service,
  type Source,
  type StatusClass,
} from './api'
import { LogTable } from './log-table'
import { RequestDrawer } from './request-drawer'

/** Milliseconds between two reads of the live log. */
const FOLLOW_INTERVAL = 2000

const oneOf = <T extends string>(value: string, known: readonly T[], usual: T): T =>
  known.find((one) => one === value) ?? usual

export function Screen() {
  const { t } = useTranslation('logs')
  const [parameters] = useSearchParams()
  const [isFollowed, setIsFollowed] = useState(false)
  const filter = filterOf(parameters)
  const log = useInfiniteQuery({ ...logQuery(filter), refetchInterval: isFollowed ? FOLLOW_INTERVAL : false })
  const lines = log.data?.pages.flat() ?? []
  return (
    <ScreenFrame
      title={t('title')}
      description={t('description')}
      actions={
        <Button
          variant={isFollowed ? 'light' : 'default'}
          leftSection={isFollowed ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          rightSection={isFollowed ? <StatusDot tone="good" /> : null}
          aria-pressed={isFollowed}
          onClick={() => setIsFollowed(!isFollowed)}
        >
          {isFollowed ? t('pause') : t('follow')}
        </Button>
      }
    >
      <Filters filter={filter} />
      {log.isPending ? (
        <SkeletonRows rows={12} height={36} />
      ) : log.isError && lines.length === 0 ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : lines.length === 0 ? (
        <EmptyState icon={IconListSearch} title={t('none.title')} text={t('none.text')} />
      ) : (
        <>
          <LogTable source={filter.source} lines={lines} />
          {log.hasNextPage ? (
            <Center mt="md">
              <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                {t('older')}
              </Button>
            </Center>
          ) : null}
        </>
      )}
      <RequestDrawer />
    </ScreenFrame>
  )
}

function filterOf(parameters: URLSearchParams): LogFilter {
  const value = (name: string) => parameters.get(name) ?? ''
  return {
    source: oneOf<Source>(value('source'), SOURCES, 'requests'),
    service: oneOf<Service | ''>(value('service'), Object.keys(SERVICE_PATHS) as Service[], ''),
    status: oneOf<StatusClass | ''>(value('status'), STATUS_CLASSES, ''),
    text: value('q'),
    user: value('user'),
    range: oneOf<Range>(value('range'), Object.keys(RANGES) as Range[], '1h'),
  }
}

function Filters({ filter }: { filter: LogFilter }) {
  const { t } = useTranslation('logs')
  const [, setSource] = useAddressState('source', 'requests')
  const [, setService] = useAddressState('service')
  const [, setStatus] = useAddressState('status')
  const [, setText] = useAddressState('q')
  const [, setUser] = useAddressState('user')
  const [, setRange] = useAddressState('range', '1h')
  const isOfRequests = filter.source === 'requests'
  return (
    <Group mb="md" gap="xs">
      <SegmentedControl
        aria-label={t('source')}
        value={filter.source}
        onChange={setSource}
        data={SOURCES.map((value) => ({ value, label: t(`sources.${value}`) }))}
      />
      <SearchField label={isOfRequests ? t('searchPath') : t('searchText')} value={filter.text} onChange={setText} />
      {isOfRequests ? (
        <>
          <NativeSelect
            aria-label={t('service')}
            value={filter.service}
            onChange={(event) => setService(event.currentTarget.value)}
            data={[
              { value: '', label: t('everyService') },
              ...Object.keys(SERVICE_PATHS).map((value) => ({ value, label: value })),
            ]}
          />
          <NativeSelect
            aria-label={t('status')}
            value={filter.status}
            onChange={(event) => setStatus(event.currentTarget.value)}
            data={[{ value: '', label: t('everyStatus') }, ...STATUS_CLASSES.map((value) => ({ value, label: value }))]}
          />
          <SearchField label={t('user')} value={filter.user} onChange={setUser} />
        </>
      ) : null}
      <NativeSelect
        aria-label={t('range')}
        value={filter.range}
        onChange={(event) => setRange(event.currentTarget.value)}
        data={(Object.keys(RANGES) as Range[]).map((value) => ({ value, label: t(`ranges.${value}`) }))}
      />
    </Group>
  )
}
