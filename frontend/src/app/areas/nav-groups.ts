/** The navigation of an area: its pages by the group the registry puts them in, in the registry's order. */
import { PAGE_KEYS, pageOf, type Area, type PageKey } from '@/lib/routing/pages'
import type { LinkedPage } from './area-nav'

export interface NavGroup<Name extends string> {
  name: Name
  pages: readonly LinkedPage[]
}

export function navGroups<const Name extends string>(area: Area, names: readonly Name[]): NavGroup<Name>[] {
  return names.map((name) => ({
    name,
    pages: PAGE_KEYS.filter((key) => pageOf(key).area === area && pageOf(key).nav === name).filter(isLinked),
  }))
}

function isLinked(key: PageKey): key is LinkedPage {
  return Object.keys(pageOf(key).params).length === 0
}
