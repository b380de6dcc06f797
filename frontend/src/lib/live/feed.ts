/**
 * The interface between an entity and the live messages: the topics of a cached query, and the
 * effect of a message.
 */
import type { Query } from '@tanstack/react-query'

export interface Feed {
  /** The topics that keep an observed query up to date. */
  topicsOf: (query: Query) => readonly string[]
  /** Called with each message; messages of other entities are ignored. */
  onMessage: (topic: string, payload: unknown) => void
  /** Messages may have been missed: observed queries are refetched. */
  onGap: (topics: readonly string[]) => void
  stop: () => void
}
