import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announceRelease, retryForever, trouble, wake } from './connection-status'

beforeEach(() => {
  vi.useFakeTimers()
  trouble.set(null)
})
afterEach(() => vi.useRealTimers())

/** Fails so often, then gives its word. */
function failing(times: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= times) throw new Error('no answer')
    return 'there'
  })
  return load
}

it('says nothing of one failure', async () => {
  const loaded = retryForever(failing(1))
  await vi.advanceTimersByTimeAsync(399)
  expect(trouble.get()).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(await loaded).toBe('there')
  expect(trouble.get()).toBeNull()
})

it('retries with growing delays and reports waiting', async () => {
  const load = failing(3)
  const loaded = retryForever(load)
  for (const [pause, calls] of [
    [400, 2],
    [800, 3],
    [1600, 4],
  ] as const) {
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(load).toHaveBeenCalledTimes(calls - 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(load).toHaveBeenCalledTimes(calls)
    expect(trouble.get()).toBe(calls > 3 ? null : calls > 1 ? 'waiting' : null)
  }
  expect(await loaded).toBe('there')
  expect(trouble.get()).toBeNull()
})

it('caps the retry delay at 15 seconds', async () => {
  const load = failing(12)
  const loaded = retryForever(load)
  await vi.advanceTimersByTimeAsync(60_000)
  const calls = load.mock.calls.length
  await vi.advanceTimersByTimeAsync(15_000)
  expect(load.mock.calls.length).toBe(calls + 1)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(await loaded).toBe('there')
})

it.each([
  ['somebody asks', wake],
  ['the connection is back', () => window.dispatchEvent(new Event('online'))],
])('tries all at once when %s', async (_, rise) => {
  const [one, other] = [failing(2), failing(2)]
  const loaded = Promise.all([retryForever(one), retryForever(other)])
  await vi.advanceTimersByTimeAsync(400)
  expect(trouble.get()).toBe('waiting')
  rise()
  expect(await loaded).toEqual(['there', 'there'])
  expect(trouble.get()).toBeNull()
})

it('waits as long as one of several does', async () => {
  const loaded = retryForever(failing(2))
  const longer = retryForever(failing(4))
  await vi.advanceTimersByTimeAsync(1200)
  await loaded
  expect(trouble.get()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(10_000)
  await longer
  expect(trouble.get()).toBeNull()
})

it('tells of each failure before it goes on', async () => {
  const listener = vi.fn(async () => undefined)
  const loaded = retryForever(failing(2), listener)
  await vi.advanceTimersByTimeAsync(1200)
  await loaded
  expect(listener.mock.calls).toEqual([[1], [2]])
})

it('keeps saying that only a reload helps', async () => {
  announceRelease()
  const loaded = retryForever(failing(2))
  await vi.advanceTimersByTimeAsync(1200)
  await loaded
  expect(trouble.get()).toBe('release')
})
