/**
 * Backups of the project: created now or by a schedule, downloaded, checked, restored and deleted.
 */
import { Alert, Button, Menu, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArchive, IconChevronDown } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/app/session'
import { notify } from '@/ui/notify'
import { ScreenFrame } from '@/ui/screen'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { backupsQuery, makeBackup, type BackupOverview } from './api'
import { BackupList } from './backup-list'
import { ScheduleSection } from './schedule-section'

export function Screen() {
  const { t } = useTranslation('backups')
  const isOwner = useSession().operator.role === 'owner'
  const overview = useQuery(backupsQuery)
  return (
    <ScreenFrame
      title={t('title')}
      description={overview.data?.has_objects === false ? t('withoutFiles') : t('description')}
      actions={isOwner && overview.data ? <MakeButton overview={overview.data} /> : null}
    >
      {overview.isPending ? (
        <SkeletonRows rows={4} height={44} />
      ) : overview.isError ? (
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <Stack gap="md">
          <Obstacle obstacle={overview.data.obstacle} />
          {overview.data.backups.length === 0 ? (
            <EmptyState icon={IconArchive} title={t('none.title')} text={t('none.text')} />
          ) : (
            <BackupList overview={overview.data} mayAct={isOwner} />
          )}
          <ScheduleSection overview={overview.data} mayChange={isOwner} />
          <Text size="sm" c="dimmed" maw="80ch">
            {t('secret')}
          </Text>
        </Stack>
      )}
    </ScreenFrame>
  )
}

function Obstacle({ obstacle }: { obstacle: BackupOverview['obstacle'] }) {
  const { t } = useTranslation('backups')
  if (!obstacle) return null
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} title={t('obstacle.title')}>
      {t(`obstacle.${obstacle}`)}
    </Alert>
  )
}

/** A button if there is one target, a menu if there are several. */
function MakeButton({ overview }: { overview: BackupOverview }) {
  const { t } = useTranslation('backups')
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: makeBackup,
    onSuccess: () => notify(t('begun')),
    onSettled: () => client.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  })
  const isRunning = overview.backups.some(({ state, restore }) => state === 'running' || restore?.state === 'running')
  const isOff = overview.obstacle !== null || isRunning
  const [first, ...otherTargets] = overview.targets
  if (!first) return null
  if (otherTargets.length === 0)
    return (
      <Button
        leftSection={<IconArchive size={16} />}
        loading={make.isPending}
        disabled={isOff}
        onClick={() => make.mutate(first.place)}
      >
        {t('make')}
      </Button>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          leftSection={<IconArchive size={16} />}
          rightSection={<IconChevronDown size={15} />}
          loading={make.isPending}
          disabled={isOff}
        >
          {t('make')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {overview.targets.map(({ place, label }) => (
          <Menu.Item key={place} onClick={() => make.mutate(place)}>
            {t(`into.${place}`)}
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
