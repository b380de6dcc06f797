/**
 * Generates `virtual:pages/<area>` from the list of pages (`src/app/page-modules.ts`): for each
 * page of that area a function that fetches its module and draws its component. Each area has a
 * module of its own, so that no visitor loads the names of pages of other areas.
 */
import type { Plugin } from 'vite'
import { moduleOf, PAGE_KEYS, PAGE_MODULES } from '../src/app/page-modules.ts'
import registry from '../src/lib/pages.json' with { type: 'json' }

const PREFIX = 'virtual:pages/'

export function pageModules(): Plugin {
  return {
    name: 'palmares-page-modules',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load: (id) => (id.startsWith(`\0${PREFIX}`) ? pagesOf(id.slice(PREFIX.length + 1)) : null),
  }
}

/**
 * Pages that name the same component share one entry, so the component stays mounted when the
 * reader goes from one of them to another.
 */
function pagesOf(area: string): string {
  const keys = PAGE_KEYS.filter((key) => registry[key].area === area)
  const names = new Map<string, string>()
  const parts: string[] = []
  for (const key of keys) {
    if (names.has(PAGE_MODULES[key])) continue
    const name = `part${parts.length}`
    const { path, component } = moduleOf(key)
    names.set(PAGE_MODULES[key], name)
    parts.push(`const ${name} = pagePart(() => import('/${path}'), (module) => module.${component})`)
  }
  return [
    `import { pagePart } from '@/app/areas/page-part'`,
    ...parts,
    `export const pages = { ${keys.map((key) => `${key}: ${names.get(PAGE_MODULES[key])}`).join(', ')} }`,
  ].join('\n')
}
