import { expect, it } from 'vitest'
import { periodOf } from './period'

it('spans both days on the site’s clock', () => {
  expect(periodOf('2026-10-25', '2026-10-25')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    until: '2026-10-25T23:00:00.000Z',
  })
})

it.each(['', 'yesterday', '2026-02-30'])('is unbounded for an invalid date: %s', (day) => {
  expect(periodOf(day, day)).toEqual({ from: null, until: null })
})
