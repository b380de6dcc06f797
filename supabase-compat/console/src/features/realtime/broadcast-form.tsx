/** The form for a broadcast to the watched channel. */
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { readPayload, sendBroadcast } from './api'
import type { WatchedChannel } from './channel'

export function BroadcastForm({ watched }: { watched: WatchedChannel }) {
  const { t } = useTranslation('realtime')
  const form = useForm({
    initialValues: { event: '', payload: '{}' },
    validate: {
      event: (event) => (event.trim() === '' ? t('send.noEvent') : null),
      payload: (payload) => (readPayload(payload) === null ? t('send.noObject') : null),
    },
  })
  const send = useMutation({ mutationFn: sendBroadcast, onSuccess: () => notify(t('send.sent')) })
  return (
    <Section title={t('send.title')} description={t('send.description', { topic: watched.topic })}>
      <form
        onSubmit={form.onSubmit(({ event, payload }) =>
          send.mutate({ ...watched, event: event.trim(), payload: readPayload(payload) }),
        )}
      >
        <Stack gap="sm">
          <TextInput label={t('send.event')} placeholder="cursor" spellCheck={false} {...form.getInputProps('event')} />
          <Textarea
            label={t('send.payload')}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
            {...form.getInputProps('payload')}
          />
          <Group>
            <Button type="submit" loading={send.isPending}>
              {t('send.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
