import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, refused } from '@/testing/answers'
import { closeVoteDialog, useVoteDialog, type VoteTarget } from './dialog'
import { rememberNickname, rememberedNickname } from './nickname'
import { ownPlaceQuery } from './own-place'
import { reasonWords } from './reasons'
import { endVoteRound, startVoteRound, useVoteRound } from './round'
import { isVoteDue, keepNextVote, nextVotes, useNextVote } from './state'
import { rememberVoted, votedServers, votedServersQuery } from './voted-servers'

const id = (n: number): string => `a9d2b8de-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
const target = (n: number): VoteTarget => ({ id: id(n), name: `Astra ${n}`, monthlyVotes: n })
const NOW = 1_800_000_000_000
const context = { signal: new AbortController().signal } as never

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})
afterEach(() => {
  act(closeVoteDialog)
  act(endVoteRound)
  history.replaceState(null, '', '/')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('stores next vote times and prunes past ones', () => {
  keepNextVote(id(1), NOW + 1000)
  keepNextVote(id(2), NOW + 5000)
  expect([1, 2, 3].map((n) => isVoteDue(id(n)))).toEqual([false, false, true])
  vi.setSystemTime(NOW + 1000)
  expect(isVoteDue(id(1))).toBe(true)
  keepNextVote(id(3), NOW + 9000)
  expect(Object.keys(nextVotes.get())).toEqual([id(2), id(3)])
})

it.each(['no json', '[]', '"text"', 'null', '{"a":"soon","b":null}'])('takes %s for no memory', (stored) => {
  localStorage.setItem('palmares.next-votes', stored)
  expect(nextVotes.get()).toEqual({})
  expect(isVoteDue('a')).toBe(true)
})

it('follows the next vote of a server', () => {
  const { result } = renderHook(() => useNextVote(id(1)))
  expect(result.current).toBeNull()
  act(() => keepNextVote(id(1), NOW + 1000))
  expect(result.current).toBe(NOW + 1000)
})

it('nickname of the address overrides the remembered one', () => {
  expect(rememberedNickname()).toBe('')
  rememberNickname('Ada')
  expect(rememberedNickname()).toBe('Ada')
  history.replaceState(null, '', '/?nickname=%20Grace%20')
  expect(rememberedNickname()).toBe('Grace')
  history.replaceState(null, '', '/?nickname=%20')
  expect(rememberedNickname()).toBe('Ada')
})

it('keeps the last twelve voted servers, newest first', () => {
  for (let n = 1; n <= 14; n += 1) rememberVoted(id(n))
  rememberVoted(id(10))
  const stored = votedServers.get()
  expect(stored).toHaveLength(12)
  expect(stored.slice(0, 3)).toEqual([id(10), id(14), id(13)])
  expect(new Set(stored).size).toBe(12)
})

it.each([
  ['{', []],
  ['{"0":"x"}', []],
  [`["${id(1)}","../etc",5,null]`, [id(1)]],
])('reads %s as what it can be', (text, ids) => {
  localStorage.setItem('palmares.voted', text)
  expect(votedServers.get()).toEqual(ids)
})

it('asks for those of them that are listed', async () => {
  const row = { id: id(1), name: 'Astra', logo_image_url: null, monthly_votes: 3, games: null }
  const { requestsOf } = answers({ servers_public: [row] })
  expect(votedServersQuery([]).enabled).toBe(false)
  const rows = await votedServersQuery([id(1), id(2)]).queryFn?.(context)
  expect(requestsOf('servers_public')[0]?.query.get('id')).toBe(`in.(${id(1)},${id(2)})`)
  expect(rows).toEqual([
    { id: id(1), name: 'Astra', logoUrl: null, monthlyVotes: 3, game: null, nicknamePattern: null },
  ])
})

it.each([
  [[{ rank: 3, voter_name: 'Ada', votes_count: 9, next_name: null, next_votes: null }], 3],
  [[], null],
])('reads the voter’s own place or null', async (rows, rank) => {
  const { requests } = answers({ 'rpc/get_my_place': rows })
  const place = await ownPlaceQuery('u1', 'week').queryFn?.(context)
  expect(place?.rank ?? null).toBe(rank)
  expect([requests[0]?.method, requests[0]?.query.get('p_period')]).toEqual(['GET', 'week'])
})

it('does not take a refusal for no place', async () => {
  answers(() => refused('42501', 403))
  await expect(ownPlaceQuery('u1', 'day').queryFn?.(context)).rejects.toMatchObject({ code: '42501' })
})

it.each([
  ['limit_address', 'limitAddress'],
  ['nickname_refused', 'nicknameRefused'],
  ['a_later_one', 'other'],
  ['constructor', 'other'],
])('has words for the reason %s', (code, words) => {
  expect(reasonWords(code)).toBe(words)
})

/** The state of the dialog and its round. */
const open = (n: number) => renderHook(() => ({ subject: useVoteDialog(), round: useVoteRound(id(n)) })).result

it('a round skips servers still on cooldown', () => {
  keepNextVote(id(2), NOW + 60_000)
  const first = open(1)
  act(() => startVoteRound([target(1), target(2), target(3)]))
  expect(first.current.subject).toEqual(target(1))
  expect(first.current.round).toEqual({ place: 1, count: 3, next: target(3) })
  expect(open(3).current.round).toEqual({ place: 3, count: 3, next: null })
})

it('a round needs at least two servers', () => {
  const one = open(1)
  act(() => startVoteRound([target(1)]))
  expect([one.current.subject?.id, one.current.round]).toEqual([id(1), null])
  act(closeVoteDialog)
  act(() => startVoteRound([]))
  expect(one.current.subject).toBeNull()
  act(() => startVoteRound([target(2), target(3)]))
  expect(one.current.round).toBeNull()
})

it('is over once it was ended', () => {
  const first = open(1)
  act(() => startVoteRound([target(1), target(2)]))
  act(endVoteRound)
  expect(first.current.round).toBeNull()
})
