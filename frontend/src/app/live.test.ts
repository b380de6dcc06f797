import { QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { moderationKeys } from '@/entities/moderation/keys'
import { serverKeys } from '@/entities/server/keys'
import { createQueryClient } from '@/lib/query/query-client'
import { followLive } from './live'

it('subscribes to topics in use while visible', async () => {
  vi.useFakeTimers()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const queries = createQueryClient({ announce: () => {}, retries: 0 })
  const want = vi.fn()
  const stop = followLive(queries, () => ({ want }))
  expect(want).toHaveBeenLastCalledWith([])
  const look = (queryKey: readonly unknown[], queryFn: () => unknown) =>
    new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {})
  const ofList = vi.fn(() => ({ rows: [] }))
  const leave = look(serverKeys.podium([]), ofList)
  look(serverKeys.stats('d'), () => null)
  look(moderationKeys.pending, () => null)
  await vi.advanceTimersByTimeAsync(300)
  expect(want).toHaveBeenLastCalledWith(['ranking', 'server:d', 'staff:queue'])
  leave()
  await vi.advanceTimersByTimeAsync(300)
  expect(want).toHaveBeenLastCalledWith(['server:d', 'staff:queue'])
  hidden.mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  queries.setQueryData(serverKeys.stats('d'), 1)
  await vi.advanceTimersByTimeAsync(400)
  expect(want).toHaveBeenLastCalledWith(['server:d', 'staff:queue'])
  await vi.advanceTimersByTimeAsync(4_600)
  expect(want).toHaveBeenLastCalledWith([])
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(want).toHaveBeenLastCalledWith(['server:d', 'staff:queue'])
  stop()
  queries.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('throttles queue refetches to every two seconds', async () => {
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const queries = createQueryClient({ announce: () => {}, retries: 0 })
  const listeners: ((topic: string, payload: unknown) => void)[] = []
  const stop = followLive(queries, ({ onMessage }) => {
    listeners.push(onMessage)
    return { want: () => {} }
  })
  const read = vi.fn(() => 0)
  new QueryObserver(queries, { queryKey: moderationKeys.pending, queryFn: read }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(1)
  for (let message = 0; message < 10; message += 1) listeners[0]!('staff:queue', {})
  await vi.advanceTimersByTimeAsync(10)
  expect(read).toHaveBeenCalledTimes(2)
  listeners[0]!('staff:queue', {})
  await vi.advanceTimersByTimeAsync(2_000)
  expect(read).toHaveBeenCalledTimes(3)
  stop()
  queries.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})
