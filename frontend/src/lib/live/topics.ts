/**
 * The topics a page listens to: exactly those that are wanted, none while it is quiet. The client of realtime/v1 is
 * fetched with the first of them; where it does not come, or nothing answers, the page goes on as without it.
 */

interface TopicListener {
  onMessage: (topic: string, payload: unknown) => void
  /** A topic is heard again after messages may have been missed. */
  onGap: (topic: string) => void
}

export interface Topics {
  /** Listens to these and to no others. */
  want: (topics: readonly string[]) => void
}

type Channels = typeof import('@/lib/api/channels')

/** More than a page shows; each is a question to the database when it is joined. */
const MOST = 8

export function createTopics(
  { onMessage, onGap }: TopicListener,
  load: () => Promise<Pick<Channels, 'openChannel'>> = () => import('@/lib/api/channels'),
): Topics {
  const open = new Map<string, () => void>()
  const join = (topic: string): void => {
    let leave = (): void => {}
    let isLeft = false
    let wasJoined = false
    const onJoined = (): void => {
      if (wasJoined) onGap(topic)
      wasJoined = true
    }
    const end = (): void => {
      isLeft = true
      leave()
    }
    load().then(
      ({ openChannel }) => {
        if (!isLeft) leave = openChannel(topic, { onMessage: (payload) => onMessage(topic, payload), onJoined })
      },
      // Asked for again with the next change of what is wanted. It may have been joined anew since.
      () => open.get(topic) === end && open.delete(topic),
    )
    open.set(topic, end)
  }
  return {
    want(topics) {
      const wanted = new Set(topics.slice(0, MOST))
      // Joined before others are left, so that the socket stays.
      for (const topic of wanted) if (!open.has(topic)) join(topic)
      for (const [topic, leave] of open) {
        if (wanted.has(topic)) continue
        open.delete(topic)
        leave()
      }
    },
  }
}
