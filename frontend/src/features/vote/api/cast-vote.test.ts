import { matchQuery, QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { laterKeys } from '@/lib/query/later-keys'
import { keys } from '@/lib/query/query-keys'
import { castVoteMutation } from './cast-vote'

/** Whether a vote has what stands under a key read again. */
function isRenewed(queryKey: QueryKey): boolean {
  const queries = new QueryClient()
  queries.setQueryData(queryKey, 1)
  const query = queries.getQueryCache().find({ queryKey, exact: true })!
  const invalidates = castVoteMutation('s').meta?.invalidates
  return Array.isArray(invalidates) && invalidates.some((stale: QueryKey) => matchQuery({ queryKey: stale }, query))
}

it.each([
  keys.servers.list({}),
  keys.servers.detail('id', 's'),
  keys.servers.stats('s'),
  keys.servers.history('s'),
  keys.servers.neighbours('s'),
  keys.servers.own('u'),
  laterKeys.servers.favorites(['s']),
])('a vote renews %o', (...key) => {
  expect(isRenewed(key)).toBe(true)
})

it.each([laterKeys.servers.months('s'), laterKeys.servers.status('s'), keys.servers.search('a', 'fr')])(
  'a vote leaves %o as it is',
  (...key) => {
    expect(isRenewed(key)).toBe(false)
  },
)
