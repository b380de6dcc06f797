/** The actions on a backup. */
import { ActionIcon, Menu } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconDots, IconDownload, IconRestore, IconShieldCheck, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { confirm } from '@/ui/confirm'
import { notify } from '@/ui/notify'
import { backupsQuery, checkBackup, downloadBackup, removeBackup, type Backup, type BackupOverview } from './api'
import { RestoreDialog } from './restore-form'

export function Actions({ backup, overview }: { backup: Backup; overview: BackupOverview }) {
  const { t } = useTranslation('backups')
  const client = useQueryClient()
  const refetch = () => client.invalidateQueries({ queryKey: backupsQuery.queryKey })
  const download = useMutation({ mutationFn: downloadBackup })
  const check = useMutation({ mutationFn: checkBackup, onSettled: refetch })
  const remove = useMutation({
    mutationFn: removeBackup,
    onSuccess: () => notify(t('removal.done')),
    onSettled: refetch,
  })
  const { id, name, place } = backup
  const hasFile = backup.state === 'done' && place !== 'elsewhere'
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
        {hasFile ? (
          <>
            <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => download.mutate(id)}>
              {t('download')}
            </Menu.Item>
            <Menu.Item leftSection={<IconShieldCheck size={15} />} onClick={() => check.mutate(id)}>
              {t('check.start')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconRestore size={15} />}
              onClick={() =>
                modals.open({
                  title: t('restore.title'),
                  centered: true,
                  children: <RestoreDialog backup={backup} overview={overview} />,
                })
              }
            >
              {t('restore.start')}
            </Menu.Item>
          </>
        ) : null}
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} />}
          onClick={() =>
            confirm({
              title: t('removal.title'),
              text: hasFile ? t('removal.text', { name }) : t('removal.entry', { name }),
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
