/**
 * Writes `first-load.json` into the build, from which the server writes texts and rows into the HTML and has each page's
 * own code fetched with it: what each page loads (`src/app/first-load.json`), with the scripts, styles and files of texts
 * this build made of it.
 */
import type { Plugin, Rolldown } from 'vite'
import loads from '../src/app/first-load.json' with { type: 'json' }
import pages from '../src/lib/pages.json' with { type: 'json' }
import { textsOfBuild } from './texts-plugin.ts'

/** Where the code of a page begins that is fetched by itself; the others come with their area. */
const PAGES: Readonly<Record<string, string>> = {
  home: 'src/app/pages/home-page.tsx',
  shortcut: 'src/app/pages/home-page.tsx',
  game: 'src/app/pages/game-page.tsx',
  server: 'src/app/pages/server-page.tsx',
  serverById: 'src/app/pages/server-page.tsx',
  hallOfFame: 'src/app/pages/hall-page.ts',
  gameHall: 'src/app/pages/hall-page.ts',
  monthArchive: 'src/app/pages/hall-page.ts',
  gameMonthArchive: 'src/app/pages/hall-page.ts',
  competitiveEvent: 'src/app/pages/competition-page.ts',
  weeklyMail: 'src/features/weekly-mail/weekly-mail-page.tsx',
  leaderboard: 'src/app/pages/leaderboard-page.ts',
  profile: 'src/app/pages/profile-page.tsx',
  favorites: 'src/features/favorites/favorites-page.tsx',
  myVotes: 'src/features/my-votes/my-votes-page.tsx',
  resetPassword: 'src/features/auth/reset-password-page.tsx',
  addServer: 'src/app/pages/add-server-page.tsx',
  missing: 'src/app/pages/missing-page.tsx',
}

/** All tabs of one thing are one page. */
function ownPageOf(key: string): string | undefined {
  return key.startsWith('editServer') ? 'src/app/pages/edit-server-page.tsx' : PAGES[key]
}

/** The modules a page is made of: its area's, and its own. */
function modulesOf(load: string): string[] {
  const key = load.split('/')[0]!
  const area = Object.entries(pages).find(([page]) => page === key)?.[1].area ?? 'main'
  const own = ownPageOf(key)
  if (area === 'main') return [own ?? 'src/features/coming-soon/coming-soon-page.tsx']
  return [`src/app/areas/${area}-area.tsx`, ...(own === undefined ? [] : [own])]
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
          if (chunk === undefined) throw new Error(`${module} is no part of this build`)
          return chunk
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
