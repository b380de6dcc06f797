/**
 * The subscriptions of a page: exactly the wanted topics, none while it is quiet. The client of
 * realtime/v1 is loaded with the first one; if it fails, the page works without it.
 */

interface TopicListener {
  onMessage: (topic: string, payload: unknown) => void
  /** A topic was joined again after messages may have been missed. */
  onGap: (topic: string) => void
}

export interface Topics {
  /** Sets the subscribed topics. */
  want: (topics: readonly string[]) => void
}

type Channels = typeof import('@/lib/api/channels')

/** More topics than a page shows; each join is a query to the database. */
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
      // A failed topic is joined again with the next change of the wanted topics. It may have been
      // joined anew since.
      () => open.get(topic) === end && open.delete(topic),
    )
    open.set(topic, end)
  }
  return {
    want(topics) {
      const topicNames = new Set(topics.slice(0, MOST))
      // New topics are joined before others are left, so that the socket stays open.
      for (const topic of topicNames) if (!open.has(topic)) join(topic)
      for (const [topic, leave] of open) {
        if (topicNames.has(topic)) continue
        open.delete(topic)
        leave()
      }
    },
  }
}
