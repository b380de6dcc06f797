/** Queues of pgmq: their lengths, their messages, and a form for a new one. */
import { ActionIcon, Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconDots, IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { Cell, ListTable } from '@/ui/list-table'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { Absent } from './absent'
import { messagesQuery, queuesQuery, type AvailableFeatures, type Queue } from './api'
import { QueueForm } from './queue-form'
import { Messages } from './queue-messages'
import { dropQueueSql, purgeQueueSql } from './statements'

interface QueueStatement extends PreparedSql {
  /** The queue that the statement purges. */
  purged?: string
}

export function Queues({ available }: { available: AvailableFeatures }) {
  const { t } = useTranslation('integrations')
  const mayChange = useMayChange()
  const queues = useQuery({ ...queuesQuery, enabled: available.queues })
  const client = useQueryClient()
  const [isNew, setIsNew] = useState(false)
  const [prepared, setPrepared] = useState<QueueStatement | null>(null)
  if (!available.queues) return <Absent extension="pgmq" />
  if (queues.isPending) return <SkeletonRows rows={5} height={48} />
  if (queues.isError) return <ErrorState error={queues.error} onRetry={() => void queues.refetch()} />
  return (
    <Stack gap="md">
      {mayChange ? (
        <Group justify="flex-end">
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setIsNew(true)}>
            {t('queues.new')}
          </Button>
        </Group>
      ) : null}
      {queues.data.length === 0 ? (
        <EmptyState icon={IconStack2} title={t('queues.none')} text={t('queues.noneText')} />
      ) : (
        <>
          <QueueTable queues={queues.data} onPrepare={mayChange ? setPrepared : null} />
          <Messages queues={queues.data.map(({ name }) => name)} />
        </>
      )}
      {isNew ? (
        <QueueForm isCovered={prepared !== null} onClose={() => setIsNew(false)} onPrepare={setPrepared} />
      ) : null}
      <SqlPreview
        prepared={prepared}
        onClose={() => setPrepared(null)}
        onDone={() => {
          setIsNew(false)
          // Only the list is refetched: a deleted queue has no messages.
          void client.invalidateQueries({ queryKey: queuesQuery.queryKey, exact: true })
          if (prepared?.purged) void client.invalidateQueries({ queryKey: messagesQuery(prepared.purged).queryKey })
        }}
      />
    </Stack>
  )
}

function QueueTable({
  queues,
  onPrepare,
}: {
  queues: Queue[]
  /** Null for an operator with read access only. */
  onPrepare: ((prepared: QueueStatement) => void) | null
}) {
  const { t } = useTranslation('integrations')
  const { number } = useFormats()
  return (
    <ListTable
      label={t('parts.queues')}
      columns={[
        { key: 'name', label: t('queues.name') },
        { key: 'length', label: t('queues.length'), width: 110, isEnd: true },
        { key: 'visible', label: t('queues.visible'), width: 110, from: 'sm', isEnd: true },
        { key: 'total', label: t('queues.total'), width: 120, from: 'sm', isEnd: true },
        { key: 'oldest', label: t('queues.oldest'), width: 150, from: 'md', isEnd: true },
        { key: 'actions', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 56 },
      ]}
    >
      {queues.map((queue) => (
        <tr key={queue.name}>
          <Cell title={queue.name}>
            <Text size="sm" fw={500} truncate>
              {queue.name}
            </Text>
          </Cell>
          <Cell isEnd>{number(queue.length)}</Cell>
          <Cell from="sm" isEnd>
            {number(queue.visible)}
          </Cell>
          <Cell from="sm" isEnd>
            {number(queue.total)}
          </Cell>
          <Cell from="md" isEnd>
            <When at={queue.oldest_at} />
          </Cell>
          <Cell>{onPrepare ? <QueueMenu name={queue.name} onPrepare={onPrepare} /> : null}</Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function QueueMenu({ name, onPrepare }: { name: string; onPrepare: (prepared: QueueStatement) => void }) {
  const { t } = useTranslation('integrations')
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name })}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          color="red"
          onClick={() =>
            onPrepare({
              title: t('queues.purge'),
              sql: purgeQueueSql(name),
              warning: t('queues.purgeWarning'),
              purged: name,
            })
          }
        >
          {t('queues.purge')}
        </Menu.Item>
        <Menu.Item
          color="red"
          onClick={() =>
            onPrepare({ title: t('queues.drop'), sql: dropQueueSql(name), warning: t('queues.dropWarning') })
          }
        >
          {t('queues.drop')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
