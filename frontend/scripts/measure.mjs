/**
 * Measures the script that each area loads at once, compressed as it is sent: the script of every
 * page and the page's own (`first-load.json`). Fails above a budget of `budgets.json`, which is one
 * per cent above the current value: bytes, and for first pages the number of files. Files that
 * arrive in the first three seconds, `soon`, are measured by a browser test. Needs a finished
 * build; a folder other than `dist` may be named.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DIST = process.argv[2] ?? new URL('../dist/', import.meta.url).pathname

const BUDGETS = JSON.parse(readFileSync(new URL('./budgets.json', import.meta.url), 'utf8'))

const html = readFileSync(join(DIST, 'index.html'), 'utf8')
const { pages } = JSON.parse(readFileSync(join(DIST, 'first-load.json'), 'utf8'))
const sharedFiles = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file)

function compressedSize(file) {
  const compressed = join(DIST, `${file}.br`)
  return readFileSync(existsSync(compressed) ? compressed : join(DIST, file)).length
}

const sum = (files, ending) =>
  files.filter((file) => file.endsWith(ending)).reduce((total, file) => total + compressedSize(file), 0)

let isOver = false
for (const [page, { bytes, files: maxFiles = Infinity }] of Object.entries(BUDGETS)) {
  const { scripts, styles } = pages[page]
  const files = [...new Set([...sharedFiles, ...scripts, ...styles])]
  const script = sum(files, '.js')
  const count = files.filter((file) => file.endsWith('.js')).length
  isOver ||= script > bytes || count > maxFiles
  console.log(
    `${page}: script ${script} B of ${bytes} in ${count} files, style ${sum(files, '.css')} B, fonts ${sum(files, '.woff2')} B (brotli)`,
  )
  if (process.argv.includes('--files'))
    for (const file of files) console.log(`${String(compressedSize(file)).padStart(8)}  ${file}`)
}
if (isOver) {
  console.error(
    'A page loads more script, or in more files, than its budget allows: `npm run size -- --files` lists its files.',
  )
  process.exit(1)
}
