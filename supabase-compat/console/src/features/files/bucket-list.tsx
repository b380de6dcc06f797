import { ActionIcon, Badge, Button, Group, Menu, VisuallyHidden } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconDots, IconEdit, IconFolderPlus, IconFolders, IconShieldCheck, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { confirm } from '@/ui/confirm'
import { Cell, linkClass, ListTable, rowClass } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { ScreenFrame } from '@/ui/screen'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { bucketsQuery, deleteBucket, storageKey, type Bucket } from './api'
import { BucketForm } from './bucket-form'

export function BucketList() {
  const { t } = useTranslation('files')
  const mayChange = useMayChange()
  const buckets = useQuery(bucketsQuery)
  const create = mayChange ? (
    <Button
      leftSection={<IconFolderPlus size={16} />}
      onClick={() => modals.open({ title: t('bucket.new'), centered: true, children: <BucketForm bucket={null} /> })}
    >
      {t('bucket.new')}
    </Button>
  ) : null
  return (
    <ScreenFrame title={t('title')} description={t('description')} actions={create}>
      {buckets.isPending ? (
        <SkeletonRows rows={4} height={44} />
      ) : buckets.isError ? (
        <ErrorState error={buckets.error} onRetry={() => void buckets.refetch()} />
      ) : buckets.data.length === 0 ? (
        <EmptyState icon={IconFolders} title={t('noBuckets.title')} text={t('noBuckets.text')} />
      ) : (
        <ListTable
          label={t('buckets')}
          columns={[
            { key: 'name', label: t('bucket.bucket') },
            { key: 'access', label: t('bucket.access'), width: 110 },
            { key: 'limit', label: t('bucket.limit'), width: 130, from: 'sm' },
            { key: 'types', label: t('bucket.types'), width: 200, from: 'md' },
            { key: 'created', label: t('created'), width: 140, from: 'sm' },
            { key: 'menu', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 56 },
          ]}
        >
          {buckets.data.map((bucket) => (
            <BucketRow key={bucket.id} bucket={bucket} />
          ))}
        </ListTable>
      )}
    </ScreenFrame>
  )
}

function BucketRow({ bucket }: { bucket: Bucket }) {
  const { t } = useTranslation('files')
  const formats = useFormats()
  const mayChange = useMayChange()
  return (
    <tr className={rowClass}>
      <Cell title={bucket.name}>
        <Group gap={8} wrap="nowrap">
          <IconFolders size={18} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          <Link to={`/files/${encodeURIComponent(bucket.id)}`} className={`${linkClass} truncate`}>
            {bucket.name}
          </Link>
        </Group>
      </Cell>
      <Cell>
        <Badge variant="light" color={bucket.public ? 'yellow' : 'gray'} autoContrast>
          {bucket.public ? t('bucket.public') : t('bucket.private')}
        </Badge>
      </Cell>
      <Cell from="sm">{bucket.file_size_limit === null ? '–' : formats.size(bucket.file_size_limit)}</Cell>
      <Cell from="md" title={bucket.allowed_mime_types?.join(', ')}>
        {bucket.allowed_mime_types?.join(', ') ?? t('bucket.everyType')}
      </Cell>
      <Cell from="sm">
        <When at={bucket.created_at} />
      </Cell>
      <Cell>{mayChange ? <BucketMenu bucket={bucket} /> : null}</Cell>
    </tr>
  )
}

function BucketMenu({ bucket }: { bucket: Bucket }) {
  const { t } = useTranslation('files')
  const client = useQueryClient()
  const deletion = useMutation({
    mutationFn: deleteBucket,
    onSuccess: () => notify(t('bucket.deleted', { name: bucket.name })),
    onSettled: () => client.invalidateQueries({ queryKey: storageKey }),
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={deletion.isPending}
          aria-label={t('actionsOf', { name: bucket.name })}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconEdit size={16} />}
          onClick={() => modals.open({ title: bucket.name, centered: true, children: <BucketForm bucket={bucket} /> })}
        >
          {t('bucket.change')}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={`/files/${encodeURIComponent(bucket.id)}?policies=open`}
          leftSection={<IconShieldCheck size={16} />}
        >
          {t('policies.open')}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() =>
            confirm({
              title: t('bucket.deleteTitle', { name: bucket.name }),
              text: t('bucket.deleteText'),
              action: t('delete'),
              onConfirm: () => deletion.mutate(bucket.id),
            })
          }
        >
          {t('bucket.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
