import { expect, test } from 'vitest'
import { searchPattern } from './search-pattern'

test.each([
  ['astra', '%astra%'],
  ["L'Île & co", '%L&#x27;Île &amp; co%'],
  ['100%', String.raw`%100\%%`],
  ['a_b*c', String.raw`%a\_b_c%`],
])('%s is looked for as %s', (typed, pattern) => {
  expect(searchPattern(typed)).toBe(pattern)
})
