/**
 * The backups, the newest first, with the progress of the running one and the result of a check.
 */
import { Group, Loader, Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { Cell, DetailRow, ListTable } from '@/ui/list-table'
import { StatusDot } from '@/ui/status-dot'
import { When } from '@/ui/when'
import type { Backup, BackupOverview } from './api'
import { Actions } from './backup-actions'

export function BackupList({ overview, mayAct }: { overview: BackupOverview; mayAct: boolean }) {
  const { t } = useTranslation('backups')
  return (
    <ListTable
      label={t('title')}
      isWrapped
      columns={[
        { key: 'backup', label: t('columns.backup') },
        { key: 'state', label: t('columns.state'), width: 'clamp(130px, 15vw, 190px)' },
        { key: 'size', label: t('columns.size'), width: 100, from: 'xs', isEnd: true },
        { key: 'origin', label: t('columns.origin'), width: 190, from: 'sm' },
        { key: 'actions', label: <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>, width: 56 },
      ]}
    >
      {overview.backups.map((backup) => (
        <Row key={backup.id} backup={backup} overview={overview} mayAct={mayAct} />
      ))}
    </ListTable>
  )
}

function Row({ backup, overview, mayAct }: { backup: Backup; overview: BackupOverview; mayAct: boolean }) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  const hasDetails = backup.reason !== null || backup.check !== null || backup.restore !== null
  return (
    <>
      <tr>
        <Cell>
          <Text size="sm" fw={500}>
            <When at={backup.started_at} />
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {backup.name}
          </Text>
        </Cell>
        <Cell>
          <State backup={backup} />
        </Cell>
        <Cell from="xs" isEnd>
          {backup.state === 'done' ? formats.size(backup.bytes) : '–'}
        </Cell>
        <Cell from="sm">
          <Text size="sm">{t(`origins.${backup.origin}`)}</Text>
          <Text size="xs" c="dimmed">
            {backup.made_by === '' ? t(`places.${backup.place}`) : backup.made_by}
          </Text>
        </Cell>
        <Cell>{mayAct && backup.state !== 'running' ? <Actions backup={backup} overview={overview} /> : null}</Cell>
      </tr>
      {hasDetails ? (
        // The columns that all widths have: backup, state, actions.
        <DetailRow columns={3}>
          {backup.reason ? (
            <Text size="xs" c="red">
              {backup.reason}
            </Text>
          ) : null}
          <CheckResult check={backup.check} />
          <RestoreResult restore={backup.restore} />
        </DetailRow>
      ) : null}
    </>
  )
}

function State({ backup }: { backup: Backup }) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  const { state, stage, bytes, check, restore } = backup
  if (state === 'running')
    return (
      <Group gap={8} wrap="nowrap" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm">{t(`stages.${stage}`, { size: formats.size(bytes) })}</Text>
      </Group>
    )
  if (check?.state === 'running' || restore?.state === 'running')
    return (
      <Group gap={8} wrap="nowrap" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm">{t(restore?.state === 'running' ? 'restore.running' : 'checking')}</Text>
      </Group>
    )
  const hasFailed = state === 'failed' || check?.state === 'failed'
  const word = state === 'failed' ? 'failed' : (check && (`check_${check.state}` as const)) || 'done'
  return (
    <Group gap={8} wrap="nowrap">
      <StatusDot tone={hasFailed ? 'bad' : 'good'} />
      <Text size="sm">{t(`states.${word}`)}</Text>
    </Group>
  )
}

function CheckResult({ check }: { check: Backup['check'] }) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  if (check?.state === 'failed')
    return (
      <Text size="xs" c="red">
        {t('check.failed', { reason: check.reason ?? '' })}
      </Text>
    )
  if (check?.state !== 'done' || !check.contents) return null
  const { tables, rows, objects, object_bytes, format, postgresql, program, has_keys } = check.contents
  return (
    <Text size="xs" c="dimmed">
      {t('check.found', {
        moment: formats.dateTime(check.at),
        tables: formats.number(tables),
        rows: formats.number(rows),
        files: formats.number(objects),
        size: formats.size(object_bytes),
        format,
        postgresql,
        program,
      })}{' '}
      {has_keys ? t('check.withKeys') : t('check.withoutKeys')}
    </Text>
  )
}

function RestoreResult({ restore }: { restore: Backup['restore'] }) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  if (restore?.state === 'failed')
    return (
      <Text size="xs" c="red">
        {t('restore.failed', { reason: restore.reason ?? '' })}
      </Text>
    )
  if (restore?.state !== 'done') return null
  return (
    <Text size="xs" c="dimmed">
      {t('restore.done', { moment: formats.dateTime(restore.at), operator: restore.by ?? '' })}
    </Text>
  )
}
