import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { every } from './ticker'

let hidden = false

beforeEach(() => {
  hidden = false
  vi.useFakeTimers({ now: 0 })
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function turnAway(next: boolean): void {
  hidden = next
  document.dispatchEvent(new Event('visibilitychange'))
}

it('listeners of one interval share one timer', () => {
  const one = vi.fn()
  const other = vi.fn()
  const stops = [every(1000, one), every(1000, other)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2000)
  expect(one.mock.calls).toEqual([[1000], [2000]])
  expect(other.mock.calls).toEqual(one.mock.calls)
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('pauses while hidden and fires when visible again', () => {
  const listener = vi.fn()
  const stop = every(1000, listener)
  turnAway(true)
  vi.advanceTimersByTime(10_500)
  expect(listener).not.toHaveBeenCalled()
  turnAway(false)
  expect(listener.mock.calls).toEqual([[10_500]])
  stop()
  turnAway(true)
  turnAway(false)
  expect(listener).toHaveBeenCalledOnce()
})
