import { queryOptions } from '@tanstack/react-query'
import { serviceRequest } from '@/api/client'

export type Level = 'ERROR' | 'WARN' | 'INFO'

export interface Notice {
  name: string
  title: string
  level: Level
  categories: ('SECURITY' | 'PERFORMANCE')[]
  description: string
  detail: string
  /** The address of a page about the notice. */
  remediation: string
  metadata: Record<string, unknown>
  cache_key: string
  /** The statement that fixes it, if one certainly does. */
  statement?: string | null
}

const LEVELS: readonly Level[] = ['ERROR', 'WARN', 'INFO']

export const adviceQuery = queryOptions({
  queryKey: ['advice'],
  queryFn: async ({ signal }) => (await serviceRequest<{ lints: Notice[] }>('advisors/v1', { signal })).lints,
  staleTime: 60_000,
})

export function countByLevel(notices: readonly Notice[]): Record<Level, number> {
  const counts: Record<Level, number> = { ERROR: 0, WARN: 0, INFO: 0 }
  for (const { level } of notices) counts[level] += 1
  return counts
}

/** Sorted by severity; within a level, notices of one kind are adjacent. */
export function bySeverity(notices: readonly Notice[]): Notice[] {
  return notices.toSorted(
    (one, other) =>
      LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) ||
      one.name.localeCompare(other.name) ||
      one.detail.localeCompare(other.detail),
  )
}

const RELATIONS: readonly unknown[] = ['table', 'view', 'materialized view', 'foreign table']

/** The screen and the name of the object that a notice is about. */
export function targetOf({ metadata }: Notice): { address: string; name: string } | null {
  const { type, schema, name } = metadata
  if (typeof schema !== 'string' || typeof name !== 'string') return null
  const path = `/tables/${encodeURIComponent(schema)}`
  if (type === 'function') return { address: `${path}?view=functions`, name }
  return RELATIONS.includes(type) ? { address: `${path}/${encodeURIComponent(name)}?view=structure`, name } : null
}
