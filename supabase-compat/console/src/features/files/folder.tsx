/** The content of a folder in a bucket. */
import { Anchor, Breadcrumbs, Button, Center, Checkbox, Group, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import {
  IconFile,
  IconFolder,
  IconFolderOpen,
  IconFolderPlus,
  IconSearch,
  IconShieldCheck,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { confirm } from '@/ui/confirm'
import { Cell, linkClass, ListTable, rowClass } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { ScreenFrame } from '@/ui/screen'
import { SearchField } from '@/ui/search-field'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { useAddressState } from '@/ui/use-address-state'
import { When } from '@/ui/when'
import { bucketsQuery, deleteEntries, encodeKey, folderQuery, keyOf, PLACEHOLDER, storageKey, type Entry } from './api'
import { FileDrawer } from './file-drawer'
import { FolderForm } from './folder-form'
import classes from './folder.module.css'
import { useUploads } from './uploads'

/** Loaded lazily with the forms of tables, which most readers of files never open. */
const BucketPolicies = lazy(() => import('./bucket-policies').then(({ BucketPolicies: part }) => ({ default: part })))

interface Place {
  bucket: string
  /** Without slashes at either end; empty for the top of the bucket. */
  folder: string
}

export function Folder({ bucket, folder }: Place) {
  const { t } = useTranslation('files')
  const mayChange = useMayChange()
  const [search, setSearch] = useAddressState('q')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const entries = useInfiniteQuery(folderQuery(bucket, folder, search))
  const buckets = useQuery(bucketsQuery)
  const uploads = useUploads()
  const [policies, setPolicies] = useAddressState('policies')
  const visible = (entries.data?.pages.flat() ?? []).filter(({ name }) => name !== PLACEHOLDER)
  const selectedEntries = visible.filter(({ name }) => selected.has(name))
  const upload = (files: readonly File[]) =>
    uploads.add(
      bucket,
      files.map((file) => ({ key: keyOf(folder, file.webkitRelativePath || file.name), file })),
    )
  const facts = buckets.data?.find(({ id }) => id === bucket)
  return (
    <ScreenFrame
      title={folder.split('/').at(-1) || bucket}
      description={facts ? (facts.public ? t('bucket.publicHelp') : t('bucket.privateHelp')) : undefined}
      actions={
        <>
          <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={() => setPolicies('open')}>
            {t('policies.open')}
          </Button>
          {mayChange ? <Actions bucket={bucket} folder={folder} onFiles={upload} /> : null}
        </>
      }
    >
      <Group mb="md" justify="space-between">
        <Path bucket={bucket} folder={folder} />
        <SearchField label={t('search')} value={search} onChange={setSearch} />
      </Group>
      <DropArea isOff={!mayChange} onFiles={upload}>
        {entries.isPending ? (
          <SkeletonRows rows={8} height={44} />
        ) : entries.isError && visible.length === 0 ? (
          <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />
        ) : visible.length === 0 ? (
          search ? (
            <EmptyState icon={IconSearch} title={t('noMatch.title')} text={t('noMatch.text', { search })} />
          ) : (
            <EmptyState icon={IconFolderOpen} title={t('empty.title')} text={mayChange ? t('empty.text') : undefined} />
          )
        ) : (
          <Entries
            bucket={bucket}
            folder={folder}
            entries={visible}
            selected={selected}
            onSelect={mayChange ? setSelected : null}
          />
        )}
        {entries.hasNextPage ? (
          <Center mt="md">
            <Button variant="default" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
              {t('more')}
            </Button>
          </Center>
        ) : null}
      </DropArea>
      {selectedEntries.length > 0 ? (
        <SelectionBar bucket={bucket} folder={folder} entries={selectedEntries} onDone={() => setSelected(new Set())} />
      ) : null}
      <FileDrawer bucket={bucket} folder={folder} isPublic={facts?.public ?? false} />
      {policies === '' ? null : (
        <Suspense fallback={null}>
          <BucketPolicies bucket={bucket} isPublic={facts?.public ?? false} onClose={() => setPolicies('')} />
        </Suspense>
      )}
    </ScreenFrame>
  )
}

function Actions({ bucket, folder, onFiles }: Place & { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('files')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFolderPlus size={16} />}
        onClick={() =>
          modals.open({
            title: t('folder.new'),
            centered: true,
            children: <FolderForm bucket={bucket} folder={folder} />,
          })
        }
      >
        {t('folder.new')}
      </Button>
      <Button leftSection={<IconUpload size={16} />} onClick={() => input.current?.click()}>
        {t('upload.open')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('upload.open')}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

function Path({ bucket, folder }: Place) {
  const { t } = useTranslation('files')
  const parts = folder === '' ? [] : folder.split('/')
  return (
    <nav aria-label={t('path')}>
      <Breadcrumbs separatorMargin={6} className={classes.path}>
        <Anchor component={Link} to="/files" size="sm">
          {t('buckets')}
        </Anchor>
        {[bucket, ...parts].map((part, index, all) => {
          const path = all.slice(0, index + 1).join('/')
          return index === all.length - 1 ? (
            <Text key={path} size="sm" fw={500}>
              {part}
            </Text>
          ) : (
            <Anchor key={path} component={Link} to={`/files/${encodeKey(path)}`} size="sm">
              {part}
            </Anchor>
          )
        })}
      </Breadcrumbs>
    </nav>
  )
}

interface EntriesProps extends Place {
  entries: readonly Entry[]
  selected: ReadonlySet<string>
  onSelect: ((selected: ReadonlySet<string>) => void) | null
}

function Entries({ bucket, folder, entries, selected, onSelect }: EntriesProps) {
  const { t } = useTranslation('files')
  const isEvery = entries.every(({ name }) => selected.has(name))
  const toggle = (name: string) => {
    const next = new Set(selected)
    if (!next.delete(name)) next.add(name)
    onSelect?.(next)
  }
  const box = (
    <Checkbox
      size="xs"
      aria-label={t('selectAll')}
      checked={isEvery}
      indeterminate={!isEvery && entries.some(({ name }) => selected.has(name))}
      onChange={() => onSelect?.(new Set(isEvery ? [] : entries.map(({ name }) => name)))}
    />
  )
  return (
    <ListTable
      label={t('title')}
      columns={[
        ...(onSelect ? [{ key: 'select', label: box, width: 44 }] : []),
        { key: 'name', label: t('name') },
        { key: 'size', label: t('size'), width: 100, isEnd: true },
        { key: 'type', label: t('type'), width: 190, from: 'md' as const },
        { key: 'changed', label: t('changed'), width: 150, from: 'sm' as const, isEnd: true },
      ]}
    >
      {entries.map((entry) => (
        <EntryRow
          key={`${entry.id ?? 'folder'} ${entry.name}`}
          bucket={bucket}
          folder={folder}
          entry={entry}
          isSelected={selected.has(entry.name)}
          onToggle={onSelect ? () => toggle(entry.name) : null}
        />
      ))}
    </ListTable>
  )
}

function EntryRow({
  bucket,
  folder,
  entry,
  isSelected,
  onToggle,
}: Place & { entry: Entry; isSelected: boolean; onToggle: (() => void) | null }) {
  const { t } = useTranslation('files')
  const formats = useFormats()
  const { search } = useLocation()
  const { name, id, metadata, updated_at: updatedAt } = entry
  const isFolder = id === null
  const file = new URLSearchParams(search)
  file.set('file', name)
  return (
    <tr className={rowClass} data-selected={isSelected || undefined}>
      {onToggle ? (
        <Cell>
          <Checkbox size="xs" aria-label={t('select', { name })} checked={isSelected} onChange={onToggle} />
        </Cell>
      ) : null}
      <Cell title={name}>
        <Group gap={8} wrap="nowrap">
          {isFolder ? (
            <IconFolder size={18} stroke={1.6} aria-hidden className={classes.icon} />
          ) : (
            <IconFile size={18} stroke={1.6} aria-hidden className={classes.icon} />
          )}
          <Link
            to={isFolder ? `/files/${encodeKey(`${bucket}/${keyOf(folder, name)}`)}` : { search: file.toString() }}
            className={`${linkClass} truncate`}
          >
            {name}
          </Link>
        </Group>
      </Cell>
      <Cell isEnd>{metadata?.size === undefined ? '' : formats.size(metadata.size)}</Cell>
      <Cell from="md">{isFolder ? t('folder.folder') : (metadata?.mimetype ?? '–')}</Cell>
      <Cell from="sm" isEnd>
        {isFolder ? '' : <When at={updatedAt} />}
      </Cell>
    </tr>
  )
}

function SelectionBar({ bucket, folder, entries, onDone }: Place & { entries: readonly Entry[]; onDone: () => void }) {
  const { t } = useTranslation('files')
  const client = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => deleteEntries(bucket, folder, entries),
    onSuccess: () => {
      notify(t('deletion.done', { count: entries.length }))
      onDone()
    },
    onSettled: () => client.invalidateQueries({ queryKey: storageKey }),
  })
  return (
    <div className={classes.bar} role="region" aria-label={t('selection')}>
      <Text size="sm">{t('selected', { count: entries.length })}</Text>
      <Button
        size="xs"
        color="red"
        leftSection={<IconTrash size={15} />}
        loading={deletion.isPending}
        onClick={() =>
          confirm({
            title: t('deletion.title', { count: entries.length }),
            text: entries.some(({ id }) => id === null) ? t('deletion.withFolders') : t('deletion.text'),
            action: t('delete'),
            onConfirm: () => deletion.mutate(),
          })
        }
      >
        {t('delete')}
      </Button>
      <Button size="xs" variant="default" onClick={onDone}>
        {t('deselect')}
      </Button>
    </div>
  )
}

/** Accepts files that are dropped anywhere on the folder. */
function DropArea({
  isOff,
  onFiles,
  children,
}: {
  isOff: boolean
  onFiles: (files: readonly File[]) => void
  children: React.ReactNode
}) {
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const end = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(false)
  }
  if (isOff) return <div>{children}</div>
  return (
    <div
      className={classes.area}
      data-over={isDraggedOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsDraggedOver(true)
      }}
      onDragLeave={end}
      onDrop={(event) => {
        end(event)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
    </div>
  )
}
