import { expect, it } from 'vitest'
import { spendingsOf } from './pass'

it('groups spent days by server and time', () => {
  const server = (id: string) => ({ id, slug: id, name: id })
  const rows = [
    { used_at: '2026-11-22T10:00:00Z', servers: server('a') },
    { used_at: '2026-11-22T10:00:00Z', servers: server('a') },
    { used_at: '2026-11-22T10:00:00Z', servers: null },
    { used_at: '2026-11-21T10:00:00Z', servers: server('a') },
  ]
  expect(spendingsOf(rows).map(({ server: to, days }) => [to?.id ?? null, days])).toEqual([
    ['a', 2],
    [null, 1],
    ['a', 1],
  ])
})
