/**
 * Watches a channel with the published client. The socket goes to the console's own address: the
 * browser holds no key and no token, and the socket ends with the session.
 */
import { RealtimeClient, REALTIME_SUBSCRIBE_STATES } from '@supabase/realtime-js'
import { callerParameters, type Caller } from '@/api/caller'

export interface WatchedChannel {
  topic: string
  isPrivate: boolean
  /** Watches changes of these tables, `schema.table` or `schema.*`; empty for none. */
  tables: string
  caller: Caller
}

export type ChannelState = 'joining' | 'joined' | 'refused' | 'closed'

export interface ChannelEvents {
  onState: (state: ChannelState, reason?: string) => void
  /** An error after which the channel continues. */
  onProblem: (reason: string) => void
  onMessage: (kind: 'broadcast' | 'change' | 'presence', title: string, payload: unknown) => void
  onPresences: (presences: Presences) => void
}

/** The presences by key, with the state of each. */
export type Presences = Record<string, unknown[]>

/** Parses `schema.table` for the service's filters; a bare name is in `public`. */
export function tablesOf(text: string): { schema: string; table: string }[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const point = one.indexOf('.')
      return point < 0
        ? { schema: 'public', table: one }
        : { schema: one.slice(0, point), table: one.slice(point + 1) || '*' }
    })
}

/** Watches a channel until the returned function is called. */
export function watchChannel({ topic, isPrivate, tables, caller }: WatchedChannel, events: ChannelEvents): () => void {
  const client = new RealtimeClient(`${location.origin.replace(/^http/, 'ws')}/console/api/realtime`, {
    // The client requires a key; the console replaces it by its own.
    params: { apikey: 'console', ...callerParameters(caller) },
  })
  const channel = client.channel(topic, { config: { private: isPrivate, broadcast: { self: true } } })
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => events.onMessage('broadcast', event, payload))
  for (const table of tablesOf(tables))
    channel.on('postgres_changes', { event: '*', ...table }, (change) =>
      events.onMessage('change', `${change.eventType} ${change.schema}.${change.table}`, {
        new: change.new,
        old: change.old,
      }),
    )
  channel.on('presence', { event: 'sync' }, () => events.onPresences(channel.presenceState()))
  channel.on('presence', { event: 'join' }, ({ key, newPresences }) =>
    events.onMessage('presence', `+ ${key}`, newPresences),
  )
  channel.on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
    events.onMessage('presence', `− ${key}`, leftPresences),
  )
  channel.on('system', {}, (message: { status?: string; message?: string }) => {
    if (message.status === 'error') events.onProblem(message.message ?? '')
  })
  events.onState('joining')
  channel.subscribe((state, error) => {
    switch (state) {
      case REALTIME_SUBSCRIBE_STATES.SUBSCRIBED:
        return events.onState('joined')
      case REALTIME_SUBSCRIBE_STATES.CLOSED:
        return events.onState('closed')
      default:
        return events.onState('refused', error?.message)
    }
  })
  return () => {
    void client.removeAllChannels()
    void client.disconnect()
  }
}
