import { QueryObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deliveryKeys } from '@/entities/delivery/keys'
import { voteKeys } from '@/entities/vote/keys'
import { heldMove } from '@/lib/live/held-move'
import { createQueryClient } from '@/lib/query/query-client'
import { serverKeys } from './keys'
import { serverFeed } from './live'
import type { Standing } from './standings'

const RUST = { slug: 'rust' }
const row = (id: string, monthly_votes: number, rank: number, more: object = {}) => ({
  id,
  monthly_votes,
  rank,
  game_rank: rank,
  online_players: 3,
  games: RUST,
  ...more,
})

const standing = (
  id: string,
  votes: [before: number | null, now: number],
  rank: number,
  more: Partial<Standing> = {},
) => ({
  id,
  game_slug: 'rust',
  votes_before: votes[0],
  monthly_votes: votes[1],
  total_votes: votes[1] + 100,
  daily_votes: 7,
  rank,
  game_rank: rank,
  is_online: true,
  online_players: 9,
  max_players: 20,
  status_checked_at: null,
  ...more,
})

const LIST = serverKeys.list({ sort: 'default', promotion: 'all', page: 1, games: [] })
const ROWS = [row('a', 12, 1), row('b', 10, 2), row('c', 10, 2), row('d', 4, 4)]

let queries: QueryClient
let isInUse = false
const tell = (...servers: Standing[]) => feed.onMessage('ranking', { servers })
const beforeMove = vi.fn()
let feed: ReturnType<typeof serverFeed>

beforeEach(() => {
  vi.useFakeTimers()
  isInUse = false
  queries = createQueryClient({ announce: () => {}, retries: 0 })
  queries.setQueryData(LIST, { rows: ROWS, count: 4, page: 1 }, { updatedAt: Date.now() - 1 })
  beforeMove.mockClear()
  feed = serverFeed(queries, () => isInUse, beforeMove)
})
afterEach(() => {
  feed.stop()
  queries.clear()
  vi.useRealTimers()
})

const rowsOf = (key = LIST) => queries.getQueryData<{ rows: typeof ROWS }>(key)!.rows
const figures = () => rowsOf().map(({ id, monthly_votes, rank }) => [id, monthly_votes, rank])
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds)
/** An observed list: only a list that is looked at can move under the pointer. */
const observe = (queryKey: readonly unknown[] = LIST) =>
  new QueryObserver(queries, {
    queryKey,
    queryFn: () => queries.getQueryData(queryKey),
    staleTime: Infinity,
  }).subscribe(() => {})

describe('a list', () => {
  it('says that its order changes before it does', () => {
    const stop = observe()
    let before: string[] = []
    beforeMove.mockImplementation(() => (before = rowsOf().map(({ id }) => id)))
    tell(standing('a', [12, 13], 1))
    pass(1)
    expect(beforeMove).not.toHaveBeenCalled()
    tell(standing('d', [4, 11], 2))
    pass(1_000)
    expect(beforeMove).toHaveBeenCalledTimes(1)
    expect(before).toEqual(['a', 'b', 'c', 'd'])
    beforeMove.mockReset()
    stop()
  })

  it('updates a server and the places it overtook', () => {
    tell(standing('d', [4, 11], 2))
    pass(1)
    expect(figures()).toEqual([
      ['a', 12, 1],
      ['b', 10, 3],
      ['c', 10, 3],
      ['d', 11, 2],
    ])
    expect(rowsOf()[3]).toMatchObject({ online_players: 9, games: RUST })
    expect(rowsOf()[0]).toBe(ROWS[0])
  })

  it('is written once a second, whatever arrives', () => {
    const written = vi.fn()
    queries.getQueryCache().subscribe(({ type }) => type === 'updated' && written())
    for (let votes = 5; votes <= 40; votes += 1) {
      tell(standing('d', [votes - 1, votes], 4))
      pass(100)
    }
    // Once at the start, then after each second of the 3.6.
    expect(written).toHaveBeenCalledTimes(4)
    pass(1_000)
    expect(figures().at(-1)).toEqual(['d', 40, 4])
    expect(rowsOf()[0]!.rank).toBe(2)
  })

  it('applies a repeated message only once', () => {
    tell(standing('d', [4, 11], 2))
    pass(1)
    feed.onMessage('server:d', { servers: [standing('d', [4, 11], 2)] })
    pass(1_000)
    tell(standing('d', [5, 11], 2))
    pass(1_000)
    expect(figures()[1]).toEqual(['b', 10, 3])
  })

  it('keeps the time at which it was read', () => {
    const before = queries.getQueryState(LIST)!.dataUpdatedAt
    tell(standing('d', [4, 5], 4))
    pass(1)
    expect(queries.getQueryState(LIST)!.dataUpdatedAt).toBe(before)
  })

  it('ignores messages older than the loaded rows', () => {
    tell(standing('d', [4, 5], 4))
    pass(1)
    tell(standing('d', [5, 6], 4))
    pass(500)
    queries.setQueryData(LIST, { rows: [row('d', 8, 3)], count: 1, page: 1 })
    pass(1_000)
    expect(figures()).toEqual([['d', 8, 3]])
  })

  it('defers moves while in use and offers them', () => {
    observe()
    isInUse = true
    tell(standing('d', [4, 5], 4))
    pass(1)
    expect(figures().at(-1)).toEqual(['d', 5, 4])
    expect(heldMove.get()).toBeNull()
    tell(standing('d', [5, 11], 2))
    pass(1_000)
    expect(figures().at(-1)).toEqual(['d', 5, 4])
    tell(standing('d', [11, 13], 1))
    pass(1_000)
    heldMove.get()!()
    expect(figures()).toEqual([
      ['a', 12, 2],
      ['b', 10, 3],
      ['c', 10, 3],
      ['d', 13, 1],
    ])
    expect(heldMove.get()).toBeNull()
  })

  it('updates once while another list is in use', () => {
    const OTHER = serverKeys.podium(['rust'])
    queries.setQueryData(OTHER, [row('a', 12, 1), row('y', 1, 9)], { updatedAt: Date.now() - 1 })
    observe()
    isInUse = true
    tell(standing('d', [4, 13], 1))
    pass(1_000)
    expect(figures().at(-1)).toEqual(['d', 4, 4])
    expect(queries.getQueryData<{ rank: number }[]>(OTHER)![0]!.rank).toBe(2)
    for (let minute = 0; minute < 3; minute += 1) {
      tell(standing('z', [0, 1], 90))
      pass(1_000)
    }
    expect(queries.getQueryData<{ rank: number }[]>(OTHER)![0]!.rank).toBe(2)
  })

  it('applies deferred moves once no longer in use', () => {
    observe()
    isInUse = true
    tell(standing('d', [4, 13], 1))
    pass(5_000)
    expect(figures().at(-1)).toEqual(['d', 4, 4])
    isInUse = false
    pass(2_000)
    expect(figures().at(-1)).toEqual(['d', 13, 1])
    expect(heldMove.get()).toBeNull()
  })

  it('keeps event votes and places unchanged', () => {
    const key = serverKeys.list({ sort: 'competitive', promotion: 'all', page: 1, games: [] })
    queries.setQueryData(key, { rows: ROWS, count: 4, page: 1, event: { id: 'e' } }, { updatedAt: 0 })
    tell(standing('d', [4, 50], 1))
    pass(1)
    expect(rowsOf(key)[3]).toMatchObject({ monthly_votes: 4, rank: 4, online_players: 9 })
  })

  it('stands in the order it is asked for', () => {
    const key = serverKeys.list({ sort: 'popular', promotion: 'all', page: 1, games: [] })
    queries.setQueryData(key, { rows: ROWS, count: 4, page: 1 }, { updatedAt: 0 })
    tell(standing('d', [null, 4], 4))
    pass(1)
    expect(rowsOf(key).map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c'])
  })

  it('passes over a message that is none', () => {
    for (const payload of [null, 'x', { servers: 'x' }, { servers: [null, { id: 3 }] }])
      feed.onMessage('ranking', payload)
    pass(2_000)
    expect(rowsOf()).toBe(ROWS)
  })
})

describe('the page of a server', () => {
  it('updates statistics, history, place and details', () => {
    const stats = {
      total_votes: 1,
      monthly_votes: 4,
      total_clicks: 5,
      votes_today: 6,
      clicks_today: 0,
      votes_last_7_days: 9,
    }
    queries.setQueryData(serverKeys.stats('d'), { ...stats, rank: 4, game_rank: 4 }, { updatedAt: 0 })
    const days = [
      { vote_date: '2026-11-25', vote_count: 3 },
      { vote_date: '2026-11-26', vote_count: 6 },
    ]
    queries.setQueryData(serverKeys.history('d'), days, { updatedAt: 0 })
    queries.setQueryData(serverKeys.place('d'), 4, { updatedAt: 0 })
    queries.setQueryData(serverKeys.detail('slug', 'dee'), row('d', 4, 4), { updatedAt: 0 })
    feed.onMessage('server:d', { servers: [standing('d', [4, 5], 3)], delivered: false })
    pass(1)
    const counted = { total_votes: 105, monthly_votes: 5, votes_today: 7, votes_last_7_days: 10, rank: 3, game_rank: 3 }
    expect(queries.getQueryData(serverKeys.stats('d'))).toEqual({ ...stats, ...counted })
    expect(queries.getQueryData(serverKeys.history('d'))).toEqual([days[0], { ...days[1], vote_count: 7 }])
    expect(queries.getQueryData(serverKeys.place('d'))).toBe(3)
    expect(queries.getQueryData(serverKeys.detail('slug', 'dee'))).toMatchObject({ monthly_votes: 5, rank: 3 })
  })

  it('refetches pending arrivals and the delivery log', async () => {
    const read: string[] = []
    const look = (queryKey: readonly unknown[], data: unknown) => {
      const queryFn = () => {
        read.push(queryKey.join(' '))
        return data
      }
      queries.setQueryData(queryKey, data)
      return new QueryObserver(queries, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {})
    }
    look(voteKeys.arrival('v1'), 'underway')
    look(voteKeys.arrival('v2'), 'arrived')
    look(deliveryKeys.log('d'), [])
    look(deliveryKeys.log('e'), [])
    feed.onMessage('server:d', { servers: [], delivered: false })
    feed.onMessage('server:d', { servers: [], delivered: true })
    await vi.advanceTimersByTimeAsync(0)
    expect(read).toEqual([voteKeys.arrival('v1').join(' '), deliveryKeys.log('d').join(' ')])
  })

  it('subscribes each query to its topics', () => {
    const topics = (queryKey: readonly unknown[]) => feed.topicsOf(queries.getQueryCache().build(queries, { queryKey }))
    expect(topics(serverKeys.stats('d'))).toEqual(['server:d'])
    expect(topics(LIST)).toEqual(['ranking'])
    expect(topics(['deliveries', 'own', 'log', 'd'])).toEqual(['server:d'])
    queries.setQueryData(serverKeys.own('u1'), [row('d', 4, 4), row('e', 1, 9)])
    expect(topics(serverKeys.own('u1'))).toEqual(['server:d', 'server:e'])
    expect(topics(serverKeys.slots('u1'))).toEqual([])
  })
})
