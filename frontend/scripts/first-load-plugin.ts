/**
 * Writes `first-load.json` into the build, from which the server writes texts and rows into the HTML and has each page's
 * own code fetched with it: what each page loads (`src/app/first-load.json`), with the scripts, styles and files of texts
 * this build made of it.
 */
import type { Plugin, Rolldown } from 'vite'
import loads from '../src/app/first-load.json' with { type: 'json' }
import pages from '../src/lib/pages.json' with { type: 'json' }
import { textsOfBuild } from './texts-plugin.ts'

/** Where the code of a page of an area begins that is fetched with the area, but not by other pages of it. */
const OWN_PAGES: readonly (readonly [RegExp, string])[] = [
  [/^addServer$/, 'src/app/pages/add-server-page.tsx'],
  [/^editServer/, 'src/app/pages/edit-server-page.tsx'],
]

/** Where the code of a page begins; those of the other areas come with their area. */
const MAIN_PAGES: Readonly<Record<string, string>> = {
  home: 'src/app/pages/home-page.tsx',
  shortcut: 'src/app/pages/home-page.tsx',
  game: 'src/app/pages/game-page.tsx',
  server: 'src/app/pages/server-page.tsx',
  serverById: 'src/app/pages/server-page.tsx',
  hallOfFame: 'src/app/pages/hall-page.ts',
  gameHall: 'src/app/pages/hall-page.ts',
  weeklyMail: 'src/features/weekly-mail/weekly-mail-page.tsx',
  missing: 'src/app/pages/missing-page.tsx',
}

function modulesOf(load: string): string[] {
  const key = load.split('/')[0]!
  const area = Object.entries(pages).find(([page]) => page === key)?.[1].area ?? 'main'
  if (area === 'main') return [MAIN_PAGES[key] ?? 'src/features/coming-soon/coming-soon-page.tsx']
  return [`src/app/areas/${area}-area.tsx`, ...OWN_PAGES.flatMap(([page, own]) => (page.test(key) ? own : []))]
}

export function firstLoad(): Plugin {
  return {
    name: 'palmares-first-load',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
        const entry = withImports(
          chunks.filter((chunk) => chunk.isEntry),
          byFile,
        )
        const chunkOf = (module: string) => {
          const start = chunks.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(`/${module}`)))
          if (start === undefined) throw new Error(`${module} is no part of this build`)
          return start
        }
        const codeOf = (modules: readonly string[]) => {
          const own = [...withImports(modules.map(chunkOf), byFile)].filter((chunk) => !entry.has(chunk))
          const styles = own.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])])
          return { scripts: own.map((chunk) => chunk.fileName), styles: [...new Set(styles)] }
        }
        const table = {
          texts: textsOfBuild(),
          pages: Object.fromEntries(
            Object.entries(loads).map(([key, load]) => [key, { ...load, ...codeOf(modulesOf(key)) }]),
          ),
        }
        this.emitFile({ type: 'asset', fileName: 'first-load.json', source: JSON.stringify(table) })
      },
    },
  }
}

/** Chunks, and all that run before them. */
function withImports(
  starts: readonly Rolldown.OutputChunk[],
  byFile: ReadonlyMap<string, Rolldown.OutputChunk>,
): Set<Rolldown.OutputChunk> {
  const found = new Set<Rolldown.OutputChunk>()
  const visit = (chunk: Rolldown.OutputChunk | undefined) => {
    if (chunk === undefined || found.has(chunk)) return
    found.add(chunk)
    for (const file of chunk.imports) visit(byFile.get(file))
  }
  for (const start of starts) visit(start)
  return found
}
