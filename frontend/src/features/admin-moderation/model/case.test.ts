import { expect, it } from 'vitest'
import { afterDeciding, changedOf, decisionsOf, neighbourOf, type ListingContent } from './case'

it('offers of each kind what the database takes', () => {
  expect(decisionsOf({ kind: 'report', review_id: null })).toEqual(['dismissed', 'disabled'])
  expect(decisionsOf({ kind: 'report', review_id: 'r' })).toEqual(['dismissed', 'hidden'])
  expect(decisionsOf({ kind: 'edit', review_id: null })).toEqual(['approved', 'reverted', 'disabled'])
  expect(decisionsOf({ kind: 'account', review_id: null })).toEqual([])
})

it('selects the neighbouring case in the queue', () => {
  expect(neighbourOf(['a', 'b', 'c'], 'b', -1)).toBe('a')
  expect(neighbourOf(['a', 'b'], 'b', 1)).toBeNull()
  expect(neighbourOf(['a', 'b'], 'gone', 1)).toBe('a')
  expect(afterDeciding(['a', 'b', 'c'], 'b')).toBe('c')
  expect(afterDeciding(['a', 'b'], 'b')).toBe('a')
  expect(afterDeciding(['a'], 'a')).toBeNull()
})

it('names what an edit changed', () => {
  const now = { name: 'New', description: 'Same', website_url: null } as ListingContent
  expect(changedOf({ name: 'Old', description: 'Same', website_url: null }, now)).toEqual(['name'])
})
