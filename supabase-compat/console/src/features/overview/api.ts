import { queryOptions } from '@tanstack/react-query'
import { request } from '@/api/client'

export interface Overview {
  services: { name: string; status: 'up' | 'down' | 'off'; detail?: string }[]
  database: { version: string; size_bytes: number; connections: number; max_connections: number }
  requests: MinuteCount[]
  slow_statements: { query: string; calls: number; mean_ms: number; total_ms: number }[]
  slow_statements_available?: boolean
  last_backup: string | null
  /** When the last failed backup failed, whatever was created since. */
  last_failed_backup?: string | null
}

export interface MinuteCount {
  /** The beginning of the minute, RFC 3339. */
  minute: string
  requests: number
  /** How many of these had a 4xx, and how many a 5xx status. */
  client_errors: number
  server_errors: number
}

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => request<Overview>('overview', { signal }),
  refetchInterval: 15_000,
})

/** The last `length` minutes before `now`, including those without a request, oldest first. */
export function everyMinute(counts: readonly MinuteCount[], now: number, length = 60): MinuteCount[] {
  const byMinute = new Map(counts.map((count) => [Math.floor(Date.parse(count.minute) / 60_000), count]))
  const last = Math.floor(now / 60_000)
  return Array.from({ length }, (_, index) => {
    const minute = last - length + 1 + index
    const empty = { minute: new Date(minute * 60_000).toISOString(), requests: 0, client_errors: 0, server_errors: 0 }
    return byMinute.get(minute) ?? empty
  })
}
