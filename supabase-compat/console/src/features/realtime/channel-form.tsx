/** The form for the channel to watch, and the identity. */
import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallerPicker } from '@/ui/caller-picker'
import { Section } from '@/ui/section'
import type { WatchedChannel } from './channel'

const EMPTY: WatchedChannel = { topic: '', isPrivate: false, tables: '', caller: { kind: 'service' } }

interface Props {
  watched: WatchedChannel | null
  /** Null stops watching. */
  onWatch: (watched: WatchedChannel | null) => void
}

export function ChannelForm({ watched, onWatch }: Props) {
  const { t } = useTranslation('realtime')
  const [draft, setDraft] = useState<WatchedChannel>(watched ?? EMPTY)
  const [isSent, setIsSent] = useState(false)
  const set = (change: Partial<WatchedChannel>): void => setDraft({ ...draft, ...change })
  const isMissing = draft.topic.trim() === ''
  return (
    <Section title={t('channel.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setIsSent(true)
          if (!isMissing) onWatch({ ...draft, topic: draft.topic.trim() })
        }}
      >
        <Group gap="sm" align="flex-start">
          <TextInput
            label={t('channel.topic')}
            placeholder="room-1"
            value={draft.topic}
            onChange={(event) => set({ topic: event.currentTarget.value })}
            error={isSent && isMissing ? t('channel.missing') : undefined}
            spellCheck={false}
            style={{ flex: 1, minWidth: 160 }}
          />
          <TextInput
            label={t('channel.tables')}
            placeholder="public.messages"
            value={draft.tables}
            onChange={(event) => set({ tables: event.currentTarget.value })}
            spellCheck={false}
            style={{ flex: 1, minWidth: 160 }}
          />
          <CallerPicker caller={draft.caller} onChange={(caller) => set({ caller })} />
        </Group>
        <Group mt="sm" justify="space-between">
          <Checkbox
            label={t('channel.private')}
            checked={draft.isPrivate}
            onChange={(event) => set({ isPrivate: event.currentTarget.checked })}
          />
          <Group gap="xs">
            {watched ? (
              <Button variant="default" onClick={() => onWatch(null)}>
                {t('channel.stop')}
              </Button>
            ) : null}
            <Button type="submit">{t('channel.watch')}</Button>
          </Group>
        </Group>
      </form>
    </Section>
  )
}
