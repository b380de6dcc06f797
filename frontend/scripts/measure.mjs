/**
 * The script each area loads at once, compressed as it is sent: what every page loads, and the page's own
 * (`first-load.json`). Fails above a budget. Needs a finished build; another folder than `dist` may be named.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DIST = process.argv[2] ?? new URL('../dist/', import.meta.url).pathname

/** Bytes of script, and in how many files where a visit begins, by page: one per cent above what is. */
const BUDGETS = {
  home: { bytes: 129_100, files: 5 },
  server: { bytes: 138_900, files: 17 },
  hallOfFame: { bytes: 127_200 },
  competitiveEvent: { bytes: 128_900 },
  publicReport: { bytes: 154_900 },
  leaderboard: { bytes: 129_000 },
  profile: { bytes: 151_100 },
  receipt: { bytes: 148_200 },
  favorites: { bytes: 130_800 },
  myVotes: { bytes: 152_500 },
  addServer: { bytes: 182_200 },
  editServer: { bytes: 183_300 },
  creatorTools: { bytes: 160_400 },
  arcadeSpotsManagement: { bytes: 207_000 },
  terms: { bytes: 137_700 },
  apiDocs: { bytes: 162_100 },
  admin: { bytes: 153_500 },
  adminServers: { bytes: 219_900 },
}

const html = readFileSync(join(DIST, 'index.html'), 'utf8')
const { pages } = JSON.parse(readFileSync(join(DIST, 'first-load.json'), 'utf8'))
const everywhere = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file)

function sent(file) {
  const packed = join(DIST, `${file}.br`)
  return readFileSync(existsSync(packed) ? packed : join(DIST, file)).length
}

const sum = (files, ending) => files.filter((file) => file.endsWith(ending)).reduce((all, file) => all + sent(file), 0)

let isOver = false
for (const [page, { bytes, files: most = Infinity }] of Object.entries(BUDGETS)) {
  const { scripts, styles } = pages[page]
  const files = [...new Set([...everywhere, ...scripts, ...styles])]
  const script = sum(files, '.js')
  const count = files.filter((file) => file.endsWith('.js')).length
  isOver ||= script > bytes || count > most
  console.log(
    `${page}: script ${script} B of ${bytes} in ${count} files, style ${sum(files, '.css')} B, fonts ${sum(files, '.woff2')} B (brotli)`,
  )
  if (process.argv.includes('--files'))
    for (const file of files) console.log(`${String(sent(file)).padStart(8)}  ${file}`)
}
if (isOver) {
  console.error(
    'A page loads more script, or in more files, than its budget allows: `npm run size -- --files` tells what it is made of.',
  )
  process.exit(1)
}
