/** The uploads of this page and the panel that shows them; they go on while one looks elsewhere. */
import { ActionIcon, Button, CloseButton, Group, Portal, Progress, Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { useErrorText } from '@/ui/error-text'
import { storageKey } from './api'
import { UploadQueue, type Upload } from './upload'
import classes from './uploads.module.css'

const queues = new WeakMap<QueryClient, UploadQueue>()

export function useUploads(): UploadQueue {
  const client = useQueryClient()
  let queue = queues.get(client)
  if (!queue) {
    queue = new UploadQueue(() => void client.invalidateQueries({ queryKey: storageKey }))
    queues.set(client, queue)
  }
  return queue
}

export function UploadPanel() {
  const { t } = useTranslation('files')
  const queue = useUploads()
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'running').length
  useEffect(() => {
    if (open === 0) return undefined
    // Leaving the page would end them.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [open])
  if (uploads.length === 0) return null
  return (
    <Portal>
      <section className={classes.panel} aria-label={t('upload.title')}>
        <Group justify="space-between" px="sm" py={6}>
          <Text size="sm" fw={500} role="status">
            {open > 0 ? t('upload.running', { count: open }) : t('upload.over')}
          </Text>
          <CloseButton aria-label={t('upload.clear')} disabled={open > 0} onClick={() => queue.clear()} />
        </Group>
        <ul className={classes.list}>
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} queue={queue} />
          ))}
        </ul>
      </section>
    </Portal>
  )
}

function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { t } = useTranslation('files')
  const formats = useFormats()
  const errorText = useErrorText()
  const { id, key, file, progress, state, error } = upload
  const isOpen = state === 'waiting' || state === 'running'
  const isDuplicate = error !== undefined && (error.status === 409 || error.details.statusCode === '409')
  return (
    <li className={classes.row}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" truncate title={key} style={{ flex: 1, minWidth: 0 }}>
          {key.split('/').at(-1)}
        </Text>
        <Text size="xs" c="dimmed" className="figures">
          {formats.size(file.size)}
        </Text>
        {state === 'done' ? <IconCheck size={16} aria-label={t('upload.done')} /> : null}
        {isOpen ? (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('upload.cancel', { name: file.name })}
            onClick={() => queue.cancel(id)}
          >
            <IconX size={14} />
          </ActionIcon>
        ) : null}
      </Group>
      {isOpen ? <Progress value={progress * 100} size="xs" mt={4} aria-label={file.name} /> : null}
      {state === 'cancelled' ? (
        <Text size="xs" c="dimmed">
          {t('upload.cancelled')}
        </Text>
      ) : null}
      {error ? (
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="xs" c="var(--console-bad)">
            {isDuplicate ? t('upload.exists') : errorText(error)}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => queue.retry(id, isDuplicate)}>
            {isDuplicate ? t('upload.replace') : t('upload.again')}
          </Button>
        </Group>
      ) : null}
    </li>
  )
}
