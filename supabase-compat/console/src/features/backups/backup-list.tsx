/** The backups, the newest first, with how far the one that runs is and what a check found. */
import { ActionIcon, Group, Loader, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconDots, IconDownload, IconShieldCheck, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { confirm } from '@/ui/confirm'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { StatusDot } from '@/ui/status-dot'
import { When } from '@/ui/when'
import { backupsQuery, checkBackup, downloadBackup, removeBackup, type Backup } from './api'

export function BackupList({ backups, mayAct }: { backups: readonly Backup[]; mayAct: boolean }) {
  const { t } = useTranslation('backups')
  return (
    <ListTable
      label={t('title')}
      isWrapped
      columns={[
        { key: 'backup', label: t('columns.backup') },
        { key: 'state', label: t('columns.state'), width: 190 },
        { key: 'size', label: t('columns.size'), width: 100, from: 'xs', isEnd: true },
        { key: 'origin', label: t('columns.origin'), width: 190, from: 'sm' },
        { key: 'actions', label: <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>, width: 56 },
      ]}
    >
      {backups.map((backup) => (
        <Row key={backup.id} backup={backup} mayAct={mayAct} />
      ))}
    </ListTable>
  )
}

function Row({ backup, mayAct }: { backup: Backup; mayAct: boolean }) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  return (
    <tr>
      <Cell>
        <Text size="sm" fw={500}>
          <When at={backup.started_at} />
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {backup.name}
        </Text>
        {backup.reason ? (
          <Text size="xs" c="red">
            {backup.reason}
          </Text>
        ) : null}
        <CheckResult check={backup.check} />
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
      <Cell>{mayAct && backup.state !== 'running' ? <Actions backup={backup} /> : null}</Cell>
    </tr>
  )
}

function State({ backup }: { backup: Backup }) {
  const { t } = useTranslation('backups')
  const formats = useFormats()
  const { state, stage, bytes, check } = backup
  if (state === 'running')
    return (
      <Group gap={8} wrap="nowrap" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm">{t(`stages.${stage}`, { size: formats.size(bytes) })}</Text>
      </Group>
    )
  if (check?.state === 'running')
    return (
      <Group gap={8} wrap="nowrap" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm">{t('checking')}</Text>
      </Group>
    )
  const isBad = state === 'failed' || check?.state === 'failed'
  const word = state === 'failed' ? 'failed' : (check && (`check_${check.state}` as const)) || 'done'
  return (
    <Group gap={8} wrap="nowrap">
      <StatusDot tone={isBad ? 'bad' : 'good'} />
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

function Actions({ backup }: { backup: Backup }) {
  const { t } = useTranslation('backups')
  const client = useQueryClient()
  const again = () => client.invalidateQueries({ queryKey: backupsQuery.queryKey })
  const download = useMutation({ mutationFn: downloadBackup })
  const check = useMutation({ mutationFn: checkBackup, onSettled: again })
  const remove = useMutation({
    mutationFn: removeBackup,
    onSuccess: () => notify(t('removal.done')),
    onSettled: again,
  })
  const { id, name, place } = backup
  const isKept = backup.state === 'done' && place !== 'elsewhere'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={download.isPending || remove.isPending}
          aria-label={t('actionsOf', { name })}
        >
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isKept ? (
          <>
            <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => download.mutate(id)}>
              {t('download')}
            </Menu.Item>
            <Menu.Item leftSection={<IconShieldCheck size={15} />} onClick={() => check.mutate(id)}>
              {t('check.start')}
            </Menu.Item>
          </>
        ) : null}
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} />}
          onClick={() =>
            confirm({
              title: t('removal.title'),
              text: isKept ? t('removal.text', { name }) : t('removal.entry', { name }),
              action: t('removal.action'),
              onConfirm: () => remove.mutate(id),
            })
          }
        >
          {t('removal.action')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
