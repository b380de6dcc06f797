import { QueryObserver, type QueryKey } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tagProposalKeys } from '@/entities/tag/keys'
import { createQueryClient } from '@/lib/query/query-client'
import { moderationKeys } from './keys'
import { queueFeed } from './live'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('refreshes the count at once, rows when idle', async () => {
  const queries = createQueryClient({ announce: () => {}, retries: 0 })
  let areInUse = true
  const feed = queueFeed(queries, () => areInUse)
  const look = (queryKey: QueryKey) => {
    const queryFn = vi.fn(() => 0)
    new QueryObserver(queries, { queryKey, queryFn, staleTime: Infinity, initialData: 0 }).subscribe(() => {})
    return queryFn
  }
  const count = look(moderationKeys.pending)
  const rows = [moderationKeys.cases({}), moderationKeys.reports({}), tagProposalKeys.table({})].map(look)
  const other = look(moderationKeys.bans)
  feed.onMessage('ranking', {})
  await vi.advanceTimersByTimeAsync(10)
  expect(count).not.toHaveBeenCalled()
  feed.onMessage('staff:queue', {})
  await vi.advanceTimersByTimeAsync(10)
  expect(count).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rows.map((row) => row.mock.calls.length)).toEqual([0, 0, 0])
  areInUse = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(rows.map((row) => row.mock.calls.length)).toEqual([1, 1, 1])
  expect(other).not.toHaveBeenCalled()
  expect(count).toHaveBeenCalledTimes(1)
  feed.stop()
  queries.clear()
})
