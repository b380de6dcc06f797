import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useFormats } from '@/i18n/format'
import { Cell, linkClass, ListTable, rowClass, type Column } from '@/ui/list-table'
import { requestIdOf, type LogLine, type Source } from './api'
import { StatusCode } from './status-code'

/** Lines of one source, with the columns of that source. */
export function LogTable({ source, lines }: { source: Source; lines: readonly LogLine[] }) {
  const { t } = useTranslation('logs')
  const time: Column = { key: 'time', label: t('time'), width: 92 }
  const columns: Record<Source, Column[]> = {
    requests: [
      time,
      { key: 'status', label: t('status'), width: 70 },
      { key: 'method', label: t('method'), width: 86, from: 'xs' },
      { key: 'path', label: t('path') },
      { key: 'role', label: t('role'), width: 130, from: 'md' },
      { key: 'duration', label: t('duration'), width: 96, from: 'xs', isEnd: true },
    ],
    database: [
      time,
      { key: 'severity', label: t('severity'), width: 96 },
      { key: 'message', label: t('message') },
      { key: 'role', label: t('role'), width: 150, from: 'md' },
      { key: 'code', label: t('code'), width: 86, from: 'sm' },
    ],
    functions: [
      time,
      { key: 'severity', label: t('severity'), width: 96, from: 'xs' },
      { key: 'function', label: t('function'), width: 150 },
      { key: 'message', label: t('message') },
    ],
  }
  return (
    <ListTable label={t('title')} columns={columns[source]}>
      {lines.map((line) => (
        <LogRow key={line.id} source={source} line={line} />
      ))}
    </ListTable>
  )
}

function LogRow({ source, line }: { source: Source; line: LogLine }) {
  const formats = useFormats()
  const at = line.timestamp / 1000
  const time = (
    <Cell title={formats.dateTime(at)}>
      <span className="mono">{formats.time(at)}</span>
    </Cell>
  )
  if (source === 'requests')
    return (
      <tr className={rowClass}>
        {time}
        <Cell>
          <StatusCode status={line.status ?? 0} />
        </Cell>
        <Cell from="xs">
          <span className="mono">{line.method}</span>
        </Cell>
        <Cell title={`${line.path ?? ''}${line.search ?? ''}`}>
          <RequestLink line={line}>
            {line.path}
            <Text span c="dimmed" inherit>
              {line.search}
            </Text>
          </RequestLink>
        </Cell>
        <Cell from="md">{line.role ?? '–'}</Cell>
        <Cell from="xs" isEnd>
          {line.duration === null || line.duration === undefined ? '–' : formats.milliseconds(line.duration)}
        </Cell>
      </tr>
    )
  if (source === 'database')
    return (
      <tr className={rowClass}>
        {time}
        <Cell>{line.severity}</Cell>
        <Cell title={line.event_message}>
          <RequestLink line={line}>{line.event_message}</RequestLink>
        </Cell>
        <Cell from="md">{line.role ?? '–'}</Cell>
        <Cell from="sm">
          <span className="mono">{line.code ?? '–'}</span>
        </Cell>
      </tr>
    )
  return (
    <tr className={rowClass}>
      {time}
      <Cell from="xs">{line.severity}</Cell>
      <Cell>{line.function_name ?? '–'}</Cell>
      <Cell title={line.event_message}>
        <RequestLink line={line}>{line.event_message}</RequestLink>
      </Cell>
    </tr>
  )
}

function RequestLink({ line, children }: { line: LogLine; children: React.ReactNode }) {
  const { search } = useLocation()
  const id = requestIdOf(line)
  if (!id) return <span className="mono">{children}</span>
  const next = new URLSearchParams(search)
  next.set('request', id)
  return (
    <Link to={{ search: next.toString() }} className={`${linkClass} mono`}>
      {children}
    </Link>
  )
}
