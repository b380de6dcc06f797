import { infiniteQueryOptions } from '@tanstack/react-query'
import { request } from '@/api/client'

interface AuditEntry {
  id: string | number
  at: string
  operator: string | null
  method: string
  path: string
  summary: string | null
  status: number
  address: string | null
}

interface AuditPage {
  entries: AuditEntry[]
  /** The cursor of the next page; null on the last. */
  next: string | number | null
}

export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ signal, pageParam }) => request<AuditPage>('audit', { query: { before: pageParam, limit: 50 }, signal }),
  initialPageParam: null as string | number | null,
  getNextPageParam: (page) => page.next,
})
