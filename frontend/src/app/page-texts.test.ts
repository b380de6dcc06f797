/**
 * A component that asks for texts which are not there suspends, and what is around it is hidden until they come. So
 * all that a page may draw without fetching more code finds its texts among those its registry entry names.
 */
import { expect, test } from 'vitest'
import { PAGE_KEYS } from '@/lib/pages'
import { moduleOf } from './page-modules'
import { EVERYWHERE, startingTexts, textsOf } from './router'

const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../testing/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const sources = new Map(Object.entries(files).map(([path, text]) => [new URL(path, 'file:///src/app/').pathname, text]))

/** The modules that come with one; `import()` fetches later, behind a boundary of its own. */
function together(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const importing = /^(?:import|export)\s(?!type\s)[^;'"]*?from '([^']+)'/gm
  for (const [, named = ''] of (sources.get(path) ?? '').matchAll(importing)) {
    const wanted = named.startsWith('@/') ? `/src/${named.slice(2)}` : new URL(named, `file://${path}`).pathname
    const found = [`${wanted}.ts`, `${wanted}.tsx`].find((file) => sources.has(file))
    if (found !== undefined && /^(?:@\/|\.)/.test(named)) together(found, seen)
  }
  return seen
}

/** Namespaces the components below a module ask for, with where each is asked for first. */
function askedBelow(beginning: string): Map<string, string> {
  const asked = new Map<string, string>()
  for (const path of together(beginning))
    for (const [, names = ''] of (sources.get(path) ?? '').matchAll(/useTranslation\(([^)]*)\)/g))
      for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) if (!asked.has(name)) asked.set(name, path)
  return asked
}

function missing(beginning: string, there: readonly string[]): string[] {
  return [...askedBelow(beginning)].filter(([name]) => !there.includes(name)).map(([name, path]) => `${name}: ${path}`)
}

test.each(['/src/app/shell/shell.tsx', '/src/app/page-crash.tsx'])('%s has its texts wherever it stands', (path) => {
  expect(missing(path, EVERYWHERE)).toEqual([])
})

test('the page of an address that leads nowhere finds the texts of all its parts', () => {
  expect(missing('/src/app/pages/missing-page.tsx', startingTexts('/nothing/here'))).toEqual([])
})

test.each(PAGE_KEYS)('%s finds the texts of all its parts', (key) => {
  expect(missing(`/${moduleOf(key).path}`, [...EVERYWHERE, ...textsOf(key)])).toEqual([])
})
