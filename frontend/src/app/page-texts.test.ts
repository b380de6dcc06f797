/**
 * A component whose texts are not loaded suspends, and hides its surroundings until they arrive. So
 * all texts that a page may draw without fetching more code must be among those that its registry
 * entry names.
 */
import { expect, test } from 'vitest'
import { PAGE_KEYS } from '@/lib/routing/pages'
import { cameWith, sources } from '@/testing/static-imports'
import { moduleOf } from './page-modules'
import { EVERYWHERE, startingTexts, textsOf } from './router'

/** The namespaces that the components below a module use, with the first use of each. */
function requestsBelow(beginning: string): Map<string, string> {
  const requests = new Map<string, string>()
  for (const path of cameWith(beginning))
    for (const [, names = ''] of (sources.get(path) ?? '').matchAll(/useTranslation\(([^)]*)\)/g))
      for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) if (!requests.has(name)) requests.set(name, path)
  return requests
}

function missing(beginning: string, there: readonly string[]): string[] {
  return [...requestsBelow(beginning)]
    .filter(([name]) => !there.includes(name))
    .map(([name, path]) => `${name}: ${path}`)
}

test.each(['/src/app/shell/shell.tsx', '/src/app/page-crash.tsx'])('%s has its texts wherever it stands', (path) => {
  expect(missing(path, EVERYWHERE)).toEqual([])
})

test('missing page has all of its initial texts', () => {
  expect(missing('/src/app/pages/missing-page.tsx', startingTexts('/nothing/here'))).toEqual([])
})

test.each(PAGE_KEYS)('%s finds the texts of all its parts', (key) => {
  // The texts of heads (`seo`) are fetched with the next page, or when a page turns out not to
  // exist.
  expect(missing(`/${moduleOf(key).path}`, [...EVERYWHERE, 'seo', ...textsOf(key)])).toEqual([])
})
