/** Cache keys for tags and proposals of tags. */
import { OWN } from '@/lib/query/own-rows'

export const tagKeys = {
  all: ['tags'],
  list: ['tags', 'list'],
  named: (names: readonly string[]) => ['tags', 'named', names] as const,
  table: (wanted: object) => ['tags', OWN, 'table', wanted] as const,
  use: (name: string) => ['tags', OWN, 'use', name] as const,
} as const

export const tagProposalKeys = {
  all: ['tag-proposals', OWN],
  own: (userId: string) => ['tag-proposals', OWN, userId] as const,
  table: (wanted: object) => ['tag-proposals', OWN, 'table', wanted] as const,
} as const
