/**
 * Updates of the moderation queue. A message says only that it changed: its content is read with
 * the rights of the reader. Rows do not move while somebody is using them; the number of pending
 * cases is always updated.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import { tagProposalKeys } from '@/entities/tag/keys'
import type { Feed } from '@/lib/live/feed'
import { isInUse } from '@/lib/live/in-use'
import { createPainter } from '@/lib/live/painter'
import { moderationKeys } from './keys'

const TOPIC = 'staff:queue'

/** Milliseconds between two reads, however often the queue changes. */
const REST = 2_000

const isCount = ({ queryKey }: Query): boolean => queryKey[0] === moderationKeys.pending[0]
function isRows({ queryKey }: Query): boolean {
  const [entity, , part] = queryKey
  if (entity === moderationKeys.all[0]) return part === 'cases' || part === 'reports'
  return entity === tagProposalKeys.all[0] && part === 'table'
}

export function queueFeed(
  queries: QueryClient,
  areRowsInUse = () => isInUse(document.querySelector('main :is(ol, table)')),
): Feed {
  let areRowsOld = false
  const reread = (predicate: (query: Query) => boolean): void =>
    void queries.refetchQueries({ type: 'active', predicate }, { cancelRefetch: true })
  const rows = createPainter(() => {
    if (!areRowsOld) return
    if (areRowsInUse()) return rows.request()
    areRowsOld = false
    reread(isRows)
  }, REST)
  const count = createPainter(() => reread(isCount), REST)
  return {
    topicsOf: (query) => (isCount(query) || isRows(query) ? [TOPIC] : []),
    onMessage(topic) {
      if (topic !== TOPIC) return
      areRowsOld = true
      count.request()
      rows.request()
    },
    onGap(topics) {
      topics.forEach((topic) => this.onMessage(topic, null))
    },
    stop() {
      rows.stop()
      count.stop()
    },
  }
}
