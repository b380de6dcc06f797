import { expect, it } from 'vitest'
import { byNeed, prestigeOf } from './prestige'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const server = (is_sponsored: boolean, prestige_expires_at: string | null) => ({ is_sponsored, prestige_expires_at })

it.each([
  [server(false, null), { state: 'none' }],
  [server(true, null), { state: 'none' }],
  [server(false, '2026-04-01T12:00:00Z'), { state: 'none' }],
  [server(true, '2026-04-01T12:00:00Z'), { state: 'active', until: '2026-04-01T12:00:00Z' }],
  [server(true, '2026-03-08T13:00:01Z'), { state: 'active', until: '2026-03-08T13:00:01Z' }],
  [server(true, '2026-03-08T12:00:00Z'), { state: 'ending', days: 7 }],
  [server(true, '2026-03-01T12:00:01Z'), { state: 'ending', days: 1 }],
  // Given a moment ago, by a clock slightly ahead of the reader's.
  [server(true, '2026-03-02T12:01:00Z'), { state: 'ending', days: 1 }],
  [server(true, '2026-03-01T12:00:00Z'), { state: 'over', on: '2026-03-01T12:00:00Z' }],
  [server(false, '2026-02-01T12:00:00Z'), { state: 'over', on: '2026-02-01T12:00:00Z' }],
])('%o', (row, expected) => {
  expect(prestigeOf(row, NOW)).toEqual(expected)
})

it('puts first whom a day helps most', () => {
  const named = (name: string, end: string | null, is_hidden = false) => ({
    name,
    is_hidden,
    ...server(end !== null, end),
  })
  const servers = [
    named('long', '2026-05-01T12:00:00Z'),
    named('hidden', null, true),
    named('soon', '2026-03-02T12:00:00Z'),
    named('none', null),
  ]
  expect(byNeed(servers, NOW).map(({ name }) => name)).toEqual(['none', 'soon', 'long', 'hidden'])
})
