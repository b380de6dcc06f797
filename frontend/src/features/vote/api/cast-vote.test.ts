import { matchQuery, QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { serverKeys } from '@/entities/server/keys'
import { castVoteMutation } from './cast-vote'

/** Whether a vote invalidates a cache key. */
function isRenewed(queryKey: QueryKey): boolean {
  const queries = new QueryClient()
  queries.setQueryData(queryKey, 1)
  const query = queries.getQueryCache().find({ queryKey, exact: true })!
  const invalidates = castVoteMutation('s').meta?.invalidates
  return Array.isArray(invalidates) && invalidates.some((stale: QueryKey) => matchQuery({ queryKey: stale }, query))
}

it.each([
  serverKeys.list({}),
  serverKeys.detail('id', 's'),
  serverKeys.stats('s'),
  serverKeys.history('s'),
  serverKeys.neighbours('s'),
  serverKeys.own('u'),
  serverKeys.favorites(['s']),
])('a vote renews %o', (...key) => {
  expect(isRenewed(key)).toBe(true)
})

it.each([serverKeys.months('s'), serverKeys.status('s'), serverKeys.search('a', 'fr')])(
  'a vote leaves %o as it is',
  (...key) => {
    expect(isRenewed(key)).toBe(false)
  },
)
