/**
 * Measures the script that the console loads before its first screen, compressed as it is sent: the
 * entry, its static imports, and the overview. Fails above the budget. Needs a finished build.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DIST = process.argv[2] ?? new URL('../dist/', import.meta.url).pathname
/** Bytes of script. */
const BUDGET = 200_000

const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))

function filesOf(key, known = new Set()) {
  const chunk = manifest[key]
  if (!chunk || known.has(chunk.file)) return known
  if (chunk.file.endsWith('.js')) known.add(chunk.file)
  for (const imported of chunk.imports ?? []) filesOf(imported, known)
  return known
}

function sent(file) {
  const packed = join(DIST, `${file}.br`)
  return readFileSync(existsSync(packed) ? packed : join(DIST, file)).length
}

const sum = (files) => [...files].reduce((all, file) => all + sent(file), 0)

const entry = filesOf('index.html')
const overview = filesOf('src/features/overview/screen.tsx', new Set(entry))
console.log(`entry: ${sum(entry)} B in ${entry.size} files`)
console.log(`first load with the overview: ${sum(overview)} B of ${BUDGET} in ${overview.size} files (brotli)`)
for (const key of Object.keys(manifest)
  .filter((name) => /features\/\w+\/screen\.tsx$/.test(name))
  .toSorted()) {
  const own = [...filesOf(key)].filter((file) => !entry.has(file))
  console.log(`${key.split('/').at(-2)}: ${sum(own)} B more`)
}
if (sum(overview) > BUDGET) {
  console.error('The first load is over its budget.')
  process.exit(1)
}
