/**
 * The script each area loads at once, compressed as it is sent: what every page loads, and the page's own
 * (`first-load.json`). Fails above a budget. Needs a finished build; another folder than `dist` may be named.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DIST = process.argv[2] ?? new URL('../dist/', import.meta.url).pathname

/** Bytes of script, and in how many files where a visit begins, by page: one per cent above what is. */
const BUDGETS = {
  home: { bytes: 134_400, files: 5 },
  server: { bytes: 143_600, files: 16 },
  hallOfFame: { bytes: 132_600 },
  competitiveEvent: { bytes: 134_500 },
  publicReport: { bytes: 160_200 },
  leaderboard: { bytes: 134_700 },
  profile: { bytes: 184_400 },
  receipt: { bytes: 154_000 },
  favorites: { bytes: 135_000 },
  myVotes: { bytes: 157_600 },
  addServer: { bytes: 186_300 },
  editServer: { bytes: 188_800 },
  creatorTools: { bytes: 167_300 },
  arcadeSpotsManagement: { bytes: 211_600 },
  terms: { bytes: 143_100 },
  apiDocs: { bytes: 169_000 },
  admin: { bytes: 157_300 },
  adminServers: { bytes: 226_200 },
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
