/**
 * Writes `first-load.json` into the build: what each page loads (`src/app/first-load.json`), with
 * the scripts, styles and text files of this build. With it the server writes texts and rows into
 * the HTML and preloads the code of each page.
 */
import type { Plugin, Rolldown } from 'vite'
import loads from '../src/app/first-load.json' with { type: 'json' }
import pages from '../src/lib/pages.json' with { type: 'json' }
import { moduleOf, PAGE_MODULES } from '../src/app/page-modules.ts'
import { textsOfBuild } from './texts-plugin.ts'

/**
 * Pages that draw the parts of the home page at once; any other page that fetched their chunk would
 * do so by accident.
 */
const HOME_PAGES = ['home', 'shortcut', 'game']

const ROWS_CLIENT = 'src/lib/api/rows-client.ts'

/**
 * The modules of a page: those of its area, and its own. `missing` stands for an address without a
 * page.
 */
function modulesOf(load: string): string[] {
  const key = load.split('/')[0]!
  if (key === 'missing') return ['src/app/pages/missing-page.tsx']
  if (!isPage(key)) throw new Error(`first-load.json: ${key} is not a page`)
  const { area, access } = pages[key]
  return [
    ...(area === 'main' ? [] : [`src/app/areas/${area}-area.tsx`]),
    moduleOf(key).path,
    ...(access === 'everyone' ? [] : ['src/components/access/access-guard.tsx']),
    // The server writes the first rows of these pages into the HTML; other pages query them at
    // once.
    ...(HOME_PAGES.includes(key) ? [] : [ROWS_CLIENT]),
  ]
}

function isPage(key: string): key is keyof typeof PAGE_MODULES {
  return Object.hasOwn(PAGE_MODULES, key)
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
          const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)))
          if (chunk === undefined) throw new Error(`${module} is not in this build`)
          return chunk
        }
        const codeOf = (load: string) => {
          const chunksOfPage = [...withImports(modulesOf(load).map(chunkOf), byFile)].filter(
            (chunk) => !entry.has(chunk),
          )
          const home = chunksOfPage.find(({ name }) => name === 'home')
          if (home !== undefined && !HOME_PAGES.includes(load.split('/')[0]!))
            throw new Error(`${load} fetches ${home.fileName}, which only ${HOME_PAGES.join(', ')} draw`)
          const styles = chunksOfPage.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])])
          return { scripts: chunksOfPage.map((chunk) => chunk.fileName), styles: [...new Set(styles)] }
        }
        const table = {
          texts: textsOfBuild(),
          pages: Object.fromEntries(Object.entries(loads).map(([key, load]) => [key, { ...load, ...codeOf(key) }])),
        }
        this.emitFile({ type: 'asset', fileName: 'first-load.json', source: JSON.stringify(table) })
      },
    },
  }
}

/** Chunks, with all chunks that they import. */
function withImports(
  roots: readonly Rolldown.OutputChunk[],
  byFile: ReadonlyMap<string, Rolldown.OutputChunk>,
): Set<Rolldown.OutputChunk> {
  const found = new Set<Rolldown.OutputChunk>()
  const visit = (chunk: Rolldown.OutputChunk | undefined) => {
    if (chunk === undefined || found.has(chunk)) return
    found.add(chunk)
    for (const file of chunk.imports) visit(byFile.get(file))
  }
  for (const root of roots) visit(root)
  return found
}
