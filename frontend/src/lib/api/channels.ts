/**
 * The client of realtime/v1. Only `lib/live` may import it, and only some time after the page is
 * drawn: it is as large as all code that queries rows. All topics of the site are private, and only
 * the site may send to them.
 */
import { RealtimeClient } from '@supabase/realtime-js'
import { apiOrigin, config } from '@/lib/config'
import { hasKeptSession } from '@/lib/session/session-store'

const client = new RealtimeClient(`${apiOrigin.replace(/^http/, 'ws')}/realtime/v1`, {
  params: { apikey: config.anonKey },
  accessToken: currentToken,
  // A hidden tab keeps no socket open.
  disconnectOnEmptyChannelsAfterMs: 1_000,
})

/**
 * The token of the signed-in person, else of a guest, for whom the code for sessions is not
 * fetched.
 */
async function currentToken(): Promise<string> {
  if (!hasKeptSession()) return config.anonKey
  const { supabase } = await import('./supabase')
  const { data } = await supabase.auth.getSession()
  return data.session?.access_token ?? config.anonKey
}

export interface ChannelListener {
  /** Called with each message to the topic. */
  onMessage: (payload: unknown) => void
  /** Called when the topic is joined: the first time, and again after a lost connection. */
  onJoined: () => void
}

/** Subscribes to a topic until the returned function is called. Reconnects by itself. */
export function openChannel(topic: string, { onMessage, onJoined }: ChannelListener): () => void {
  const channel = client.channel(topic, { config: { private: true } })
  channel.on('broadcast', { event: '*' }, ({ payload }) => onMessage(payload))
  let isLeft = false
  // The token must be set before the join, which checks the rights to a private topic.
  const join = (): void => {
    if (!isLeft) channel.subscribe((status) => status === 'SUBSCRIBED' && onJoined())
  }
  client.setAuth().then(join, join)
  return () => {
    isLeft = true
    client.removeChannel(channel).catch(() => {})
  }
}
