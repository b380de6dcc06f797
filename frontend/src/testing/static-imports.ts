/** Static imports of modules; modules of `import()` are loaded later, in chunks of their own. */
const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../testing/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The source of each module, by its path from the frontend folder: `/src/app/main.tsx`. */
export const sources: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, text]) => [new URL(path, 'file:///src/testing/').pathname, text]),
)

/** The modules that a module imports statically, itself included, and the packages by name. */
export function cameWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const importing = /^(?:import|export)\s(?!type\s)[^;'"]*?from '([^']+)'/gm
  for (const [, named = ''] of (sources.get(path) ?? '').matchAll(importing)) {
    const found = moduleAt(named, path)
    if (found !== undefined) cameWith(found, seen)
    else if (!/^(?:@\/|\.)/.test(named)) seen.add(named)
  }
  return seen
}

function moduleAt(named: string, from: string): string | undefined {
  if (!/^(?:@\/|\.)/.test(named)) return undefined
  const target = named.startsWith('@/') ? `/src/${named.slice(2)}` : new URL(named, `file://${from}`).pathname
  return [`${target}.ts`, `${target}.tsx`].find((file) => sources.has(file))
}
