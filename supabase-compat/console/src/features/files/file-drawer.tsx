/** One file: preview, facts, addresses, and actions. */
import { Alert, Button, Drawer, Group, NativeSelect, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconDownload, IconFile, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { serviceRequest } from '@/api/client'
import { useMayChange, useSession } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { CodeBlock, CopyLine } from '@/ui/code-block'
import { confirm } from '@/ui/confirm'
import { useErrorText } from '@/ui/error-text'
import { notify } from '@/ui/notify'
import { EmptyState, ErrorState } from '@/ui/states'
import {
  bucketsQuery,
  contentUrl,
  deleteEntries,
  keyOf,
  moveObject,
  objectPath,
  publicUrl,
  readStart,
  signObject,
  storageKey,
} from './api'
import classes from './file-drawer.module.css'

/** How many bytes of a text are shown. */
const TEXT_PREVIEW = 64 * 1024
/** Seconds. */
const LIFETIMES = { hour: 3600, day: 86_400, week: 604_800, year: 31_536_000 } as const

interface ObjectInfo {
  id: string
  size: number
  content_type: string
  created_at: string
  updated_at?: string
  last_modified?: string
}

interface Place {
  bucket: string
  folder: string
  isPublic: boolean
}

export function FileDrawer({ bucket, folder, isPublic }: Place) {
  const { t } = useTranslation('files')
  const [parameters, setParameters] = useSearchParams()
  const name = parameters.get('file')
  const close = () =>
    setParameters((before) => {
      const next = new URLSearchParams(before)
      next.delete('file')
      return next
    })
  return (
    <Drawer
      opened={name !== null}
      onClose={close}
      position="right"
      size={520}
      title={name ?? ''}
      classNames={{ title: classes.title }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {name === null ? null : (
        <Contents key={name} bucket={bucket} folder={folder} name={name} isPublic={isPublic} onGone={close} />
      )}
    </Drawer>
  )
}

function Contents({ bucket, folder, name, isPublic, onGone }: Place & { name: string; onGone: () => void }) {
  const { t } = useTranslation('files')
  const formats = useFormats()
  const mayChange = useMayChange()
  const client = useQueryClient()
  const key = keyOf(folder, name)
  const info = useQuery({
    queryKey: [...storageKey, 'info', bucket, key],
    queryFn: ({ signal }) => serviceRequest<ObjectInfo>(objectPath('/info', bucket, key), { signal }),
  })
  const deletion = useMutation({
    mutationFn: () =>
      deleteEntries(bucket, folder, [{ name, id: 'file', updated_at: null, created_at: null, metadata: null }]),
    onSuccess: () => {
      notify(t('deletion.done', { count: 1 }))
      onGone()
    },
    onSettled: () => client.invalidateQueries({ queryKey: storageKey }),
  })
  if (info.isPending) return <Skeleton height={280} />
  if (info.isError) return <ErrorState error={info.error} onRetry={() => void info.refetch()} />
  const { size, content_type: type, created_at: createdAt } = info.data
  return (
    <Stack gap="lg">
      <Preview bucket={bucket} fileKey={key} type={type} size={size} name={name} />
      <dl className={classes.facts}>
        <dt>{t('size')}</dt>
        <dd>{formats.size(size)}</dd>
        <dt>{t('type')}</dt>
        <dd>{type}</dd>
        <dt>{t('created')}</dt>
        <dd>{formats.dateTime(createdAt)}</dd>
      </dl>
      <Group gap="xs">
        <Button
          component="a"
          href={contentUrl(bucket, key)}
          download={name}
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {t('download')}
        </Button>
        {mayChange ? (
          <Button
            color="red"
            variant="light"
            leftSection={<IconTrash size={16} />}
            loading={deletion.isPending}
            onClick={() =>
              confirm({
                title: t('deletion.title', { count: 1 }),
                text: t('deletion.text'),
                action: t('delete'),
                onConfirm: () => deletion.mutate(),
              })
            }
          >
            {t('delete')}
          </Button>
        ) : null}
      </Group>
      <Addresses bucket={bucket} fileKey={key} isPublic={isPublic} maySign={mayChange} />
      {mayChange ? <MoveForm bucket={bucket} fileKey={key} onGone={onGone} /> : null}
    </Stack>
  )
}

interface FileProps {
  bucket: string
  fileKey: string
}

function Preview({ bucket, fileKey, type, size, name }: FileProps & { type: string; size: number; name: string }) {
  const { t } = useTranslation('files')
  const url = contentUrl(bucket, fileKey)
  const isText = /^text\/|json|xml|javascript|sql|yaml|toml/.test(type) && !type.startsWith('image/')
  const text = useQuery({
    queryKey: [...storageKey, 'text', bucket, fileKey],
    enabled: isText && size > 0,
    queryFn: ({ signal }) => readStart(bucket, fileKey, TEXT_PREVIEW, signal),
  })
  if (type.startsWith('image/')) return <img src={url} alt={name} className={classes.picture} />
  if (type.startsWith('video/')) return <video src={url} controls className={classes.picture} aria-label={name} />
  if (type.startsWith('audio/')) return <audio src={url} controls className={classes.sound} aria-label={name} />
  if (!isText || size === 0) return <EmptyState icon={IconFile} title={t('noPreview')} />
  if (text.isPending) return <Skeleton height={220} />
  if (text.isError) return <ErrorState error={text.error} onRetry={() => void text.refetch()} />
  return (
    <div>
      <CodeBlock code={text.data} label={t('preview', { name })} maxHeight={320} />
      {size > TEXT_PREVIEW ? (
        <Text size="xs" c="dimmed" mt={4}>
          {t('startOnly')}
        </Text>
      ) : null}
    </div>
  )
}

function Addresses({ bucket, fileKey, isPublic, maySign }: FileProps & { isPublic: boolean; maySign: boolean }) {
  const { t } = useTranslation('files')
  const { project } = useSession()
  const [lifetime, setLifetime] = useState<keyof typeof LIFETIMES>('hour')
  const signature = useMutation({
    mutationFn: () => signObject(bucket, fileKey, LIFETIMES[lifetime], project.api_url),
  })
  if (!isPublic && !maySign) return null
  return (
    <section>
      <Title order={3} size="h6" mb="xs">
        {t('address.title')}
      </Title>
      <Stack gap="xs">
        {isPublic ? <CopyLine value={publicUrl(bucket, fileKey, project.api_url)} label={t('address.public')} /> : null}
        {maySign ? (
          <Group gap="xs" align="flex-end">
            <NativeSelect
              label={t('address.life')}
              value={lifetime}
              onChange={(event) => {
                setLifetime(event.currentTarget.value as keyof typeof LIFETIMES)
                signature.reset()
              }}
              data={(['hour', 'day', 'week', 'year'] as const).map((value) => ({
                value,
                label: t(`address.lives.${value}`),
              }))}
            />
            <Button variant="default" loading={signature.isPending} onClick={() => signature.mutate()}>
              {t('address.sign')}
            </Button>
          </Group>
        ) : null}
        {signature.data ? <CopyLine value={signature.data} label={t('address.signed')} /> : null}
      </Stack>
    </section>
  )
}

function MoveForm({ bucket, fileKey, onGone }: FileProps & { onGone: () => void }) {
  const { t } = useTranslation('files')
  const errorText = useErrorText()
  const client = useQueryClient()
  const buckets = useQuery(bucketsQuery)
  const form = useForm({
    initialValues: { bucket, key: fileKey },
    validate: { key: (value) => (value.trim() === '' || value.endsWith('/') ? t('move.badKey') : null) },
  })
  const moving = useMutation({
    meta: { isQuiet: true },
    mutationFn: moveObject,
    onSuccess: (_answer, { destinationKey }) => {
      notify(t('move.done', { key: destinationKey }))
      onGone()
    },
    onSettled: () => client.invalidateQueries({ queryKey: storageKey }),
  })
  return (
    <section>
      <Title order={3} size="h6" mb="xs">
        {t('move.title')}
      </Title>
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          moving.mutate({
            bucketId: bucket,
            sourceKey: fileKey,
            destinationKey: values.key.trim(),
            ...(values.bucket === bucket ? {} : { destinationBucket: values.bucket }),
          }),
        )}
      >
        <Stack gap="sm">
          <NativeSelect
            label={t('bucket.bucket')}
            data={(buckets.data ?? []).map(({ id }) => id)}
            {...form.getInputProps('bucket')}
          />
          <TextInput label={t('move.key')} description={t('move.help')} {...form.getInputProps('key')} />
          {moving.error ? (
            <Alert color="red" role="alert">
              {errorText(moving.error)}
            </Alert>
          ) : null}
          <Group>
            <Button type="submit" variant="default" loading={moving.isPending} disabled={!form.isDirty()}>
              {t('move.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  )
}
