/**
 * What the home page loads: the entry and all it imports at once, compressed as it is sent. Fails above the budget.
 * Needs a finished build.
 */
import { readFileSync, existsSync } from 'node:fs'

const DIST = new URL('../dist/', import.meta.url).pathname
const BUDGET = 150_000

const html = readFileSync(`${DIST}index.html`, 'utf8')
const listed = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file)

function sent(file) {
  const packed = `${DIST}${file}.br`
  return readFileSync(existsSync(packed) ? packed : `${DIST}${file}`).length
}

const sizes = listed.map((file) => ({ file, bytes: sent(file) }))
const total = (pattern) => sizes.filter(({ file }) => pattern.test(file)).reduce((sum, { bytes }) => sum + bytes, 0)
for (const { file, bytes } of sizes) console.log(`${String(bytes).padStart(8)}  ${file}`)
const script = total(/\.js$/)
console.log(
  `script ${script} B, style ${total(/\.css$/)} B, fonts ${total(/\.woff2$/)} B (brotli; budget for script ${BUDGET} B)`,
)
if (script > BUDGET) {
  console.error('The home page loads more script than its budget allows.')
  process.exit(1)
}
