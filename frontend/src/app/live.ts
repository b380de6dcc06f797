/**
 * Keeps the shown page up to date while somebody sees it: the active queries decide which topics
 * are subscribed to, and each message updates the cache. No component knows of it. Fetched some
 * time after the page is drawn.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import { queueFeed } from '@/entities/moderation/live'
import { serverFeed } from '@/entities/server/live'
import type { Feed } from '@/lib/live/feed'
import { followQuiet, isQuiet } from '@/lib/live/quiet'
import { createTopics } from '@/lib/live/topics'

/**
 * Milliseconds to wait, so that the page that is being left and the next one share the topics that
 * both need.
 */
const SETTLED = 300

export function followLive(queries: QueryClient, open: typeof createTopics = createTopics): () => void {
  const feeds: readonly Feed[] = [serverFeed(queries), queueFeed(queries)]
  const topics = open({
    onMessage: (topic, payload) => feeds.forEach((feed) => feed.onMessage(topic, payload)),
    onGap: (topic) => feeds.forEach((feed) => feed.onGap([topic])),
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const topicNames = (): string[] => {
    const active: Query[] = queries.getQueryCache().findAll({ type: 'active' })
    return [...new Set(active.flatMap((query) => feeds.flatMap((feed) => feed.topicsOf(query))))]
  }
  // See `followQuiet`: a tab that is hidden for a moment stays subscribed.
  let quiet = isQuiet()
  const want = (): void => topics.want(quiet ? [] : topicNames())
  const unfollow = followQuiet((isNowQuiet) => {
    quiet = isNowQuiet
    want()
    // Changes that happened while the tab was quiet did not reach it.
    if (!quiet) feeds.forEach((feed) => feed.onGap(topicNames()))
  })
  const unsubscribe = queries.getQueryCache().subscribe(({ type }) => {
    if (type === 'observerResultsUpdated') return
    timer ??= setTimeout(() => {
      timer = undefined
      want()
    }, SETTLED)
  })
  want()
  return () => {
    clearTimeout(timer)
    unfollow()
    unsubscribe()
    topics.want([])
    feeds.forEach((feed) => feed.stop())
  }
}
