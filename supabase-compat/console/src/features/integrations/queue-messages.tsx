/**
 * Messages of a queue, the oldest first, and a form that sends one. Showing them does not consume
 * them.
 */
import { ActionIcon, Button, Group, Menu, NativeSelect, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { useAddressState } from '@/ui/use-address-state'
import { When } from '@/ui/when'
import { changeMessage, messagesQuery, queuesQuery, sendMessage } from './api'

/** Refetches the queues and their messages. */
const useRefetchQueues = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: queuesQuery.queryKey })
}

export function Messages({ queues }: { queues: string[] }) {
  const { t } = useTranslation('integrations')
  const mayChange = useMayChange()
  const [selected, setSelected] = useAddressState('queue', queues[0])
  const queue = queues.includes(selected) ? selected : queues[0]!
  const messages = useQuery(messagesQuery(queue))
  return (
    <Section
      title={t('queues.messages')}
      description={t('queues.messagesText')}
      actions={
        <Group gap="xs">
          <NativeSelect
            size="xs"
            aria-label={t('queues.name')}
            value={queue}
            data={queues}
            onChange={(event) => setSelected(event.currentTarget.value)}
          />
          <Button size="xs" variant="default" onClick={() => void messages.refetch()} loading={messages.isFetching}>
            {t('refresh')}
          </Button>
        </Group>
      }
    >
      <Stack gap="md">
        {messages.isPending ? (
          <SkeletonRows rows={4} height={44} />
        ) : messages.isError ? (
          <ErrorState error={messages.error} onRetry={() => void messages.refetch()} />
        ) : messages.data.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('queues.empty')}
          </Text>
        ) : (
          <ListTable
            label={t('queues.messages')}
            isWrapped
            columns={[
              { key: 'id', label: t('queues.id'), width: 80 },
              { key: 'message', label: t('queues.message') },
              { key: 'reads', label: t('queues.reads'), width: 90, from: 'sm', isEnd: true },
              { key: 'at', label: t('queues.visibleAt'), width: 140, from: 'sm', isEnd: true },
              { key: 'actions', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 56 },
            ]}
          >
            {messages.data.map((message) => (
              <tr key={message.id}>
                <Cell>{message.id}</Cell>
                <Cell>
                  <span className="mono">
                    {typeof message.message === 'string' ? message.message : JSON.stringify(message.message)}
                  </span>
                </Cell>
                <Cell from="sm" isEnd>
                  {message.reads}
                </Cell>
                <Cell from="sm" isEnd>
                  <When at={message.visible_at} />
                </Cell>
                <Cell>{mayChange ? <MessageMenu queue={queue} id={message.id} /> : null}</Cell>
              </tr>
            ))}
          </ListTable>
        )}
        {mayChange ? <MessageForm queue={queue} /> : null}
      </Stack>
    </Section>
  )
}

function MessageMenu({ queue, id }: { queue: string; id: string }) {
  const { t } = useTranslation('integrations')
  const refetch = useRefetchQueues()
  const change = useMutation({ mutationFn: changeMessage, onSettled: refetch })
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" loading={change.isPending} aria-label={t('actionsFor', { name: id })}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => change.mutate({ queue, id, change: 'archive' })}>{t('queues.archive')}</Menu.Item>
        <Menu.Item color="red" onClick={() => change.mutate({ queue, id, change: 'delete' })}>
          {t('queues.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function MessageForm({ queue }: { queue: string }) {
  const { t } = useTranslation('integrations')
  const refetch = useRefetchQueues()
  const form = useForm({
    initialValues: { message: '' },
    validate: { message: (message) => (isJson(message) ? null : t('queues.noJson')) },
  })
  const send = useMutation({
    mutationFn: sendMessage,
    onSuccess: () => {
      form.reset()
      notify(t('queues.sent'))
      return refetch()
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ message }) => send.mutate({ queue, message }))}>
      <Stack gap="xs" align="flex-start">
        <Textarea
          label={t('queues.newMessage', { queue })}
          placeholder={'{"id": 1}'}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          w="100%"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
          {...form.getInputProps('message')}
        />
        <Button type="submit" variant="default" loading={send.isPending}>
          {t('queues.send')}
        </Button>
      </Stack>
    </form>
  )
}
