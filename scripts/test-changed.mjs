// `just test-changed [base]`: the tests that depend on files that differ from a commit, by default from the merge base
// with main. Crates are found by `cargo metadata`, page tests by vitest's import graph, client and browser tests by the
// table below.
import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Patterns of changed paths, and the files of tests/client and tests/browser that cover them. */
const OUTSIDE = [
  { changed: /^supabase-compat\/compat-auth\//, client: ['auth*', 'tokens'], browser: ['sign-in', 'account'] },
  { changed: /^supabase-compat\/compat-rest/, client: ['rest/*', 'own-schema'], browser: [] },
  { changed: /^supabase-compat\/compat-typegen\//, client: ['typegen', 'beside-originals'], browser: [] },
  { changed: /^supabase-compat\/compat-meta\//, client: ['meta', 'studio', 'beside-originals'], browser: [] },
  { changed: /^supabase-compat\/compat-(mcp|advice)\//, client: ['mcp', 'beside-originals'], browser: [] },
  { changed: /^supabase-compat\/(compat-console|console)\//, client: ['console'], browser: ['console*'] },
  { changed: /^supabase-compat\/compat-storage\//, client: ['storage*', 's3', 'tus', 'remote-store', 'pictures'], browser: [] },
  { changed: /^supabase-compat\/compat-functions\//, client: ['functions*'], browser: [] },
  { changed: /^supabase-compat\/compat-(realtime|replication)\//, client: ['realtime*'], browser: [] },
  { changed: /^supabase-compat\/(compat-stack|compat-cli|compat-extensions)\//, client: ['project*', 'take-over', 'backup', 'operators', 'first-minute', 'refusals', 'upgrade*', 'formats'], browser: [] },
  { changed: /^supabase-compat\/compat-(pg|subprocess)\//, client: ['refusals', 'upgrade*', 'formats'], browser: [] },
  { changed: /^crates\/payments\//, client: ['payments'], browser: ['payments', 'purchases', 'returns', 'admin-payments'] },
  { changed: /^crates\/(ranking|gamewire)\//, client: ['vote*', 'status', 'site'], browser: ['vote', 'player', 'owner'] },
  { changed: /^crates\/(server|site-pages|page-registry)\//, client: ['seo', 'cards', 'site'], browser: ['pages', 'addresses', 'seo-audit', 'widgets', 'first-load'] },
  { changed: /^sql\//, client: ['site', 'vote*', 'payments'], browser: ['home', 'vote', 'owner'] },
  { changed: /^frontend\/src\/features\/admin/, client: [], browser: ['admin-*', 'moderation'] },
  { changed: /^frontend\/src\/features\/(account|auth|profile|my-votes|favorites)/, client: [], browser: ['account', 'sign-in', 'player'] },
  { changed: /^frontend\/src\/features\/(arcade|prestige|payments)/, client: [], browser: ['payments', 'purchases', 'returns'] },
  { changed: /^frontend\/src\/features\/(own-server|creator-tools|documentation)/, client: [], browser: ['owner', 'widgets'] },
  { changed: /^frontend\/src\/features\/(home|ranking-list|games|search|hall-of-fame|leaderboard|competition)/, client: [], browser: ['home', 'moving', 'first-load'] },
  { changed: /^frontend\/src\/features\/(vote|vote-again|server-page|server-events|report)/, client: [], browser: ['vote', 'reviews'] },
  { changed: /^frontend\/src\/(app|components|lib|styles)/, client: [], browser: ['kit', 'pages', 'resilience'] },
  { changed: /^tests\/support\//, client: ['*'], browser: ['*'] },
]

const output = (program, ...words) => execFileSync(program, words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
const base = process.argv[2] ?? output('git', 'merge-base', 'HEAD', 'main').trim()
const changed = [
  ...output('git', 'diff', '--name-only', base).split('\n'),
  ...output('git', 'ls-files', '--others', '--exclude-standard').split('\n'),
].filter(Boolean)

let failed = false
const crates = reachedCrates(changed)
if (crates.length > 0) run('scripts/test-rust', ...crates.flatMap((name) => ['-p', name]))
if (changed.some((path) => path.startsWith('frontend/'))) {
  run('scripts/build-pages')
  run('npm', '--prefix', 'frontend', 'test', '--', '--changed', base, '--passWithNoTests')
}
for (const kind of ['client', 'browser']) {
  const own = changed.flatMap((path) => new RegExp(`^tests/${kind}/(.+)\\.test\\.mjs$`).exec(path)?.[1] ?? [])
  const table = OUTSIDE.filter(({ changed: pattern }) => changed.some((path) => pattern.test(path))).flatMap((row) => row[kind])
  for (const name of new Set(table.includes('*') ? ['*'] : [...own, ...table])) run('scripts/test-ends', kind, name)
}
if (crates.length === 0 && changed.length === 0) console.log(`nothing differs from ${base}`)
process.exitCode = failed ? 1 : 0

/** The crates that contain a changed file, and all that depend on them. */
function reachedCrates(paths) {
  const { packages } = JSON.parse(output('cargo', 'metadata', '--no-deps', '--format-version', '1'))
  const folders = packages.map(({ name, manifest_path: manifest }) => [name, manifest.slice(root.length, -'Cargo.toml'.length)])
  const reached = new Set(folders.filter(([, folder]) => paths.some((path) => path.startsWith(folder))).map(([name]) => name))
  // The site's SQL is built into this crate.
  if (paths.some((path) => path.startsWith('sql/'))) reached.add('ranking')
  if (paths.some((path) => /^Cargo\.(toml|lock)$/.test(path))) for (const { name } of packages) reached.add(name)
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const { name, dependencies } of packages) {
      if (dependencies.some((one) => one.path && reached.has(one.name))) reached.add(name)
    }
  }
  return [...reached].sort()
}

function run(program, ...words) {
  console.log(`> ${program} ${words.join(' ')}`)
  if (spawnSync(program, words, { cwd: root, stdio: 'inherit' }).status !== 0) failed = true
}
