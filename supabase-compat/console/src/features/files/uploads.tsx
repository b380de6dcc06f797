/** The uploads of this page and the panel that shows them; they continue on other screens. */
import { ActionIcon, Button, CloseButton, Group, Portal, Progress, Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { useErrorText } from '@/ui/error-text'
import { storageKey } from './api'
import { isSameFile, type UnfinishedUpload } from './unfinished'
import { isOpen, UploadQueue, type Upload } from './upload'
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
  const unfinished = useSyncExternalStore(queue.subscribe, queue.unfinished)
  const open = uploads.filter(isOpen).length
  useEffect(() => {
    if (open === 0) return undefined
    // Leaving the page would end the uploads.
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', preventUnload)
    return () => removeEventListener('beforeunload', preventUnload)
  }, [open])
  if (uploads.length === 0 && unfinished.length === 0) return null
  return (
    <Portal>
      <section className={classes.panel} aria-label={t('upload.title')}>
        <Group justify="space-between" px="sm" py={6}>
          <Text size="sm" fw={500} role="status">
            {open > 0
              ? t('upload.running', { count: open })
              : unfinished.length > 0
                ? t('upload.left', { count: unfinished.length })
                : t('upload.over')}
          </Text>
          <CloseButton
            aria-label={t('upload.clear')}
            disabled={open > 0 || unfinished.length > 0}
            onClick={() => queue.clear()}
          />
        </Group>
        <ul className={classes.list}>
          {unfinished.map((upload) => (
            <UnfinishedRow key={upload.url} upload={upload} queue={queue} />
          ))}
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} queue={queue} />
          ))}
        </ul>
      </section>
    </Portal>
  )
}

/**
 * An earlier page's upload: the page cannot store the file, so the same one must be picked again.
 */
function UnfinishedRow({ upload, queue }: { upload: UnfinishedUpload; queue: UploadQueue }) {
  const { t } = useTranslation('files')
  const formats = useFormats()
  const [isAnother, setIsAnother] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { bucket, key, name, progress } = upload
  return (
    <li className={classes.row}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" truncate title={`${bucket}/${key}`} style={{ flex: 1, minWidth: 0 }}>
          {key.split('/').at(-1)}
        </Text>
        <Text size="xs" c="dimmed" className="figures">
          {formats.number(progress, { style: 'percent' })}
        </Text>
      </Group>
      <Text size="xs" c={isAnother ? 'var(--console-bad)' : 'dimmed'} role={isAnother ? 'alert' : undefined}>
        {isAnother ? t('upload.another', { name }) : t('upload.pickAgain')}
      </Text>
      <Group gap="xs" justify="flex-end" mt={4}>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => queue.discard(upload)}>
          {t('upload.discard', { name })}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => input.current?.click()}>
          {t('upload.pick', { name })}
        </Button>
      </Group>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('upload.pick', { name })}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (!file) return
          setIsAnother(!isSameFile(upload, file))
          if (isSameFile(upload, file)) queue.add(bucket, [{ key, file }])
        }}
      />
    </li>
  )
}

function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { t } = useTranslation('files')
  const formats = useFormats()
  const errorText = useErrorText()
  const { id, key, file, progress, state, error } = upload
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
        {isOpen(upload) ? (
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
      {isOpen(upload) ? <Progress value={progress * 100} size="xs" mt={4} aria-label={file.name} /> : null}
      {state === 'cancelled' ? (
        <Text size="xs" c="dimmed">
          {t('upload.cancelled')}
        </Text>
      ) : null}
      {state === 'interrupted' ? (
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed" role="status">
            {t('upload.interrupted')}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => queue.resume()}>
            {t('upload.again')}
          </Button>
        </Group>
      ) : error ? (
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
