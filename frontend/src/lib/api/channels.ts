/**
 * The client of realtime/v1. Only `lib/live` may import it, and only long after the page is drawn: it weighs as much as
 * all that asks for rows. All topics of the site are private ones, which nobody but the site may send to.
 */
import { RealtimeClient } from '@supabase/realtime-js'
import { apiOrigin, config } from '@/lib/config'
import { hasKeptSession } from '@/lib/session/session-store'

const client = new RealtimeClient(`${apiOrigin.replace(/^http/, 'ws')}/realtime/v1`, {
  params: { apikey: config.anonKey },
  accessToken: currentToken,
  // A tab that is hidden holds no socket open.
  disconnectOnEmptyChannelsAfterMs: 1_000,
})

/** Whoever is signed in, else a visitor, for whom the code for sessions is not fetched. */
async function currentToken(): Promise<string> {
  if (!hasKeptSession()) return config.anonKey
  const { supabase } = await import('./supabase')
  const { data } = await supabase.auth.getSession()
  return data.session?.access_token ?? config.anonKey
}

export interface ChannelListener {
  /** A message that was sent to the topic. */
  onMessage: (payload: unknown) => void
  /** The topic is heard from now on: the first time, and again after the connection was lost. */
  onJoined: () => void
}

/** Listens to a topic until what it returns is called. Connects again by itself. */
export function openChannel(topic: string, { onMessage, onJoined }: ChannelListener): () => void {
  const channel = client.channel(topic, { config: { private: true } })
  channel.on('broadcast', { event: '*' }, ({ payload }) => onMessage(payload))
  let isLeft = false
  // Who asks has to be known before the join: rights to a private topic are decided with it.
  const join = (): void => {
    if (!isLeft) channel.subscribe((status) => status === 'SUBSCRIBED' && onJoined())
  }
  client.setAuth().then(join, join)
  return () => {
    isLeft = true
    client.removeChannel(channel).catch(() => {})
  }
}
