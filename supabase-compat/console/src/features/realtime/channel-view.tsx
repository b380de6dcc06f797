/** The messages of a channel, newest first, and its presences. */
import { Badge, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { CodeBlock } from '@/ui/code-block'
import { Section } from '@/ui/section'
import { StatusDot } from '@/ui/status-dot'
import type { ChannelState, Presences, WatchedChannel } from './channel'
import classes from './channel-view.module.css'
import { useChannel, type ChannelMessage } from './use-channel'

const TONES = { joining: 'warning', joined: 'good', refused: 'bad', closed: 'off' } as const satisfies Record<
  ChannelState,
  string
>
const COLOURS = { broadcast: 'violet', change: 'teal', presence: 'gray' } as const

export function ChannelView({ watched }: { watched: WatchedChannel }) {
  const { t } = useTranslation('realtime')
  const { state, reason, messages, presences, clear } = useChannel(watched)
  return (
    <>
      <Section
        title={t('messages.title')}
        description={
          <span role="status">
            <StatusDot tone={TONES[state]} /> {t(`states.${state}`)}
            {reason ? ` ${reason}` : null}
          </span>
        }
        actions={
          messages.length > 0 ? (
            <Button size="xs" variant="default" onClick={clear}>
              {t('messages.clear')}
            </Button>
          ) : null
        }
      >
        {messages.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('messages.none')}
          </Text>
        ) : (
          <ol className={classes.messages} aria-label={t('messages.title')}>
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
        )}
      </Section>
      <PresenceList presences={presences} />
    </>
  )
}

function Message({ message: { at, kind, title, payload } }: { message: ChannelMessage }) {
  const { t } = useTranslation('realtime')
  const { time } = useFormats()
  return (
    <li>
      <Group gap="xs" mb={4}>
        <Badge variant="light" color={COLOURS[kind]}>
          {t(`kinds.${kind}`)}
        </Badge>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Text size="xs" c="dimmed" component="time" dateTime={at.toISOString()}>
          {time(at)}
        </Text>
      </Group>
      <CodeBlock code={JSON.stringify(payload, null, 2) ?? ''} label={title} maxHeight={220} />
    </li>
  )
}

function PresenceList({ presences }: { presences: Presences }) {
  const { t } = useTranslation('realtime')
  const keys = Object.keys(presences)
  return (
    <Section title={t('presences.title', { count: keys.length })}>
      {keys.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('presences.none')}
        </Text>
      ) : (
        <ul className={classes.messages} aria-label={t('presences.list')}>
          {keys.map((key) => (
            <li key={key}>
              <Text size="sm" fw={500} mb={4} style={{ overflowWrap: 'anywhere' }}>
                {key}
              </Text>
              <CodeBlock code={JSON.stringify(presences[key], null, 2)} label={key} maxHeight={160} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
