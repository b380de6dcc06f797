/** Cache keys for tags and proposals of tags. */
import { OWN } from '@/lib/query/own-rows'

export const tagKeys = {
  all: ['tags'],
  list: ['tags', 'list'],
  named: (names: readonly string[]) => ['tags', 'named', names] as const,
  table: (request: object) => ['tags', OWN, 'table', request] as const,
  use: (name: string) => ['tags', OWN, 'use', name] as const,
} as const

export const tagProposalKeys = {
  all: ['tag-proposals', OWN],
  own: (userId: string) => ['tag-proposals', OWN, userId] as const,
  table: (request: object) => ['tag-proposals', OWN, 'table', request] as const,
} as const
