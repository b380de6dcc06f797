/** The state of a watched channel. */
import { useEffect, useState } from 'react'
import type { ChannelState, Presences, WatchedChannel } from './channel'

/** How many messages are kept; older ones are dropped. */
const MAX_MESSAGES = 300

export interface ChannelMessage {
  id: number
  at: Date
  kind: 'broadcast' | 'change' | 'presence'
  title: string
  payload: unknown
}

interface Watching {
  state: ChannelState
  reason: string | null
  messages: ChannelMessage[]
  presences: Presences
}

const NOTHING: Watching = { state: 'joining', reason: null, messages: [], presences: {} }

/** For one channel: mount another instance for another one. */
export function useChannel(watched: WatchedChannel): Watching & { clear: () => void } {
  const [watching, setWatching] = useState<Watching>(NOTHING)
  useEffect(() => {
    let isClosed = false
    let stop = (): void => undefined
    let count = 0
    const change = (part: (before: Watching) => Partial<Watching>): void => {
      if (!isClosed) setWatching((before) => ({ ...before, ...part(before) }))
    }
    // The client is loaded with the first watched channel.
    import('./channel').then(
      ({ watchChannel }) => {
        if (isClosed) return
        stop = watchChannel(watched, {
          onState: (state, reason) => change((before) => ({ state, reason: reason ?? before.reason })),
          onProblem: (reason) => change(() => ({ reason })),
          onMessage: (kind, title, payload) => {
            const message = { id: ++count, at: new Date(), kind, title, payload }
            change(({ messages }) => ({ messages: [message, ...messages].slice(0, MAX_MESSAGES) }))
          },
          onPresences: (presences) => change(() => ({ presences: { ...presences } })),
        })
      },
      (error: Error) => change(() => ({ state: 'refused', reason: error.message })),
    )
    return () => {
      isClosed = true
      stop()
    }
  }, [watched])
  return { ...watching, clear: () => setWatching((before) => ({ ...before, messages: [] })) }
}
