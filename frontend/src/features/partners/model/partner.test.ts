import { expect, it } from 'vitest'
import { backlinkState, type Backlink } from './partner'

const LOOKED: Backlink = {
  backlink_url: 'https://friend.example/links',
  backlink_found: true,
  backlink_fault: null,
  backlink_checked_at: '2026-11-23T10:00:00Z',
  backlink_asked_at: '2026-11-23T09:00:00Z',
}

it.each([
  ['no page is named', { backlink_url: null }, { state: 'none' }],
  ['nobody has looked yet', { backlink_checked_at: null }, { state: 'asked' }],
  ['it was asked for since', { backlink_asked_at: '2026-11-23T11:00:00Z' }, { state: 'asked' }],
  ['there is a link', {}, { state: 'linked' }],
  ['there is a link that counts for nothing', { backlink_fault: 'nofollow' }, { state: 'faulty', fault: 'nofollow' }],
  ['the table knows a word more', { backlink_fault: 'new' }, { state: 'faulty', fault: 'unreachable' }],
])('says so when %s', (_, row, state) => {
  expect(backlinkState({ ...LOOKED, ...row })).toEqual(state)
})
