import { expect, test } from 'vitest'
import { PAGE_KEYS, pageOf, type Area } from '@/lib/routing/pages'
import { DOCS_GROUPS } from './docs-area'
import { ADMIN_GROUPS } from './admin-groups'
import { OWNER_GROUPS } from './owner-area'
import { navGroups } from './nav-groups'

const GROUPS: Partial<Record<Area, readonly { pages: readonly string[] }[]>> = {
  admin: ADMIN_GROUPS,
  docs: DOCS_GROUPS,
  owner: OWNER_GROUPS,
}

test('area navigation contains every page with a group', () => {
  for (const key of PAGE_KEYS.filter((page) => pageOf(page).nav !== null))
    expect(GROUPS[pageOf(key).area]?.flatMap(({ pages }) => pages)).toContain(key)
})

test('group pages follow the order of the registry', () => {
  expect(navGroups('admin', ['people'])).toEqual([{ name: 'people', pages: ['adminUsers', 'adminSecurity'] }])
})

test('no group of an area is empty', () => {
  for (const groups of Object.values(GROUPS)) for (const { pages } of groups) expect(pages).not.toEqual([])
})
