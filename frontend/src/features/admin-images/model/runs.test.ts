import { expect, it } from 'vitest'
import { formatBytes } from './bytes'
import { addressOf, doneOf, isRunning, reasonOf, savedBy, type Run } from './runs'

const run = (some: Partial<Run>): Run => ({
  id: '1',
  retries_failed: false,
  total: 9,
  optimized: 2,
  skipped: 3,
  failed: 1,
  bytes_before: 1000,
  bytes_after: 250,
  is_stopped: false,
  started_at: '2026-11-20T10:00:00Z',
  finished_at: null,
  ...some,
})

it('counts processed images and total savings', () => {
  expect(doneOf(run({}))).toBe(6)
  expect(savedBy([run({}), run({ bytes_before: 1000, bytes_after: 750 })])).toEqual({ bytes: 1000, share: 0.5 })
  expect(savedBy([])).toEqual({ bytes: 0, share: 0 })
})

it('runs until it has ended', () => {
  expect(isRunning(run({}))).toBe(true)
  expect(isRunning(run({ finished_at: '2026-11-20T10:01:00Z' }))).toBe(false)
  expect(isRunning(undefined)).toBe(false)
})

it('maps unknown failure reasons to a default', () => {
  expect(reasonOf('renderer_off')).toBe('rendererOff')
  expect(reasonOf('a later one')).toBe('unread')
})

it('leads to a picture whatever its name', () => {
  expect(addressOf('a/b (1)?.png')).toBe('/storage/v1/object/public/server-images/a/b%20(1)%3F.png')
})

it.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1500, '1.5 kB'],
  [2_340_000, '2.3 MB'],
  [5_000_000_000_000, '5,000 GB'],
])('says %i bytes in the unit they fill', (bytes, expected) => {
  expect(formatBytes(bytes, 'en')).toBe(expected)
})
