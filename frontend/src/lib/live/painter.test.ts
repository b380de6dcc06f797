import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followQuiet, isQuiet } from './quiet'
import { createPainter } from './painter'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('paints at most once per second', () => {
  const paint = vi.fn()
  const painter = createPainter(paint)
  painter.request()
  vi.advanceTimersByTime(0)
  expect(paint).toHaveBeenCalledTimes(1)
  for (let message = 0; message < 50; message += 1) painter.request()
  vi.advanceTimersByTime(999)
  expect(paint).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(paint).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(10_000)
  expect(paint).toHaveBeenCalledTimes(2)
})

it('paints at once again after a rest', () => {
  const paint = vi.fn()
  const painter = createPainter(paint)
  painter.request()
  vi.advanceTimersByTime(5000)
  painter.request()
  vi.advanceTimersByTime(0)
  expect(paint).toHaveBeenCalledTimes(2)
})

it('paints nothing once it is stopped', () => {
  const paint = vi.fn()
  const painter = createPainter(paint)
  painter.request()
  painter.stop()
  vi.advanceTimersByTime(5000)
  expect(paint).not.toHaveBeenCalled()
})

/** Hides or shows the tab. */
function look(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

it('becomes quiet five seconds after being hidden', () => {
  const listener = vi.fn()
  const stop = followQuiet(listener)
  look(true)
  vi.advanceTimersByTime(4999)
  expect(listener).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(listener.mock.calls).toEqual([[true]])
  look(false)
  expect(listener.mock.calls).toEqual([[true], [false]])
  stop()
})

it('ignores tabs hidden for a moment', () => {
  const listener = vi.fn()
  const stop = followQuiet(listener)
  look(true)
  vi.advanceTimersByTime(3000)
  look(false)
  // The tab is hidden again: the delay begins anew.
  vi.advanceTimersByTime(1000)
  look(true)
  vi.advanceTimersByTime(4999)
  expect(listener).not.toHaveBeenCalled()
  look(false)
  vi.advanceTimersByTime(10_000)
  expect(listener).not.toHaveBeenCalled()
  stop()
})

it('tells nothing once nobody follows', () => {
  const listener = vi.fn()
  const stop = followQuiet(listener)
  look(true)
  stop()
  vi.advanceTimersByTime(10_000)
  expect(listener).not.toHaveBeenCalled()
})

it('is quiet on slow connections', () => {
  expect(isQuiet()).toBe(false)
  vi.stubGlobal('navigator', { connection: { effectiveType: '2g' } })
  expect(isQuiet()).toBe(true)
})
