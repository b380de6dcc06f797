import { pages as account } from 'virtual:pages/account'
import { pages as admin } from 'virtual:pages/admin'
import { pages as docs } from 'virtual:pages/docs'
import { pages as main } from 'virtual:pages/main'
import { pages as owner } from 'virtual:pages/owner'
import { expect, test } from 'vitest'
import { PAGE_KEYS, pageOf } from '@/lib/routing/pages'
import { partOf } from './areas/page-part'
import { moduleOf } from './page-modules'

const AREAS = { main, account, owner, admin, docs }

test.each(PAGE_KEYS)('area of %s exports its declared component', async (key) => {
  const page = await partOf(AREAS[pageOf(key).area], key).load()
  expect(page[moduleOf(key).component]).toBeTypeOf('function')
})

test('an area draws its own pages alone', () => {
  for (const [area, pages] of Object.entries(AREAS))
    expect(Object.keys(pages)).toEqual(expect.arrayContaining(PAGE_KEYS.filter((key) => pageOf(key).area === area)))
  expect(Object.values(AREAS).flatMap((pages) => Object.keys(pages))).toHaveLength(PAGE_KEYS.length)
})
