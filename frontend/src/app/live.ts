/**
 * Keeps up to date what the page shows, as long as somebody sees it: what is looked at says which topics are listened to,
 * and what is told goes into the cache. No component knows of it. Fetched when the page has long been drawn.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import { queueFeed } from '@/entities/moderation/live'
import { serverFeed } from '@/entities/server/live'
import type { Feed } from '@/lib/live/feed'
import { followQuiet, isQuiet } from '@/lib/live/quiet'
import { createTopics } from '@/lib/live/topics'

/** A page that is being left and the next one share what both want. */
const SETTLED = 300

export function followLive(queries: QueryClient, open: typeof createTopics = createTopics): () => void {
  const feeds: readonly Feed[] = [serverFeed(queries), queueFeed(queries)]
  const topics = open({
    onMessage: (topic, payload) => feeds.forEach((feed) => feed.onMessage(topic, payload)),
    onGap: (topic) => feeds.forEach((feed) => feed.onGap([topic])),
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const wanted = (): string[] => {
    const active: Query[] = queries.getQueryCache().findAll({ type: 'active' })
    return [...new Set(active.flatMap((query) => feeds.flatMap((feed) => feed.topicsOf(query))))]
  }
  // As `followQuiet` says it: a tab that is left for a moment goes on listening, whatever happens meanwhile.
  let quiet = isQuiet()
  const want = (): void => topics.want(quiet ? [] : wanted())
  const unfollow = followQuiet((isNowQuiet) => {
    quiet = isNowQuiet
    want()
    // What happened meanwhile was told to nobody here.
    if (!quiet) feeds.forEach((feed) => feed.onGap(wanted()))
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
