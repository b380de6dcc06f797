/** What an entity does with what is told of it: which topics a cached query wants, and what a message changes. */
import type { Query } from '@tanstack/react-query'

export interface Feed {
  /** The topics that keep a query up to date while somebody looks at it. */
  topicsOf: (query: Query) => readonly string[]
  /** A message to one of them. Others' messages are passed over. */
  onMessage: (topic: string, payload: unknown) => void
  /** Messages may have been missed: what is looked at is read again. */
  onGap: (topics: readonly string[]) => void
  stop: () => void
}
