/**
 * Writes a .br file beside every text asset of a build, so that the server never compresses assets
 * while it responds: `compress.mjs [FOLDER] [--without=FILE]`, by default of this build. Exclude a
 * file that a server modifies in its responses: its compressed copy would be stale.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const WITHOUT = '--without='
const words = process.argv.slice(2)
const [folder = new URL('../dist/', import.meta.url).pathname] = words.filter((word) => !word.startsWith(WITHOUT))
const leftOut = words.filter((word) => word.startsWith(WITHOUT)).map((word) => word.slice(WITHOUT.length))
const TEXT = new Set(['.js', '.css', '.json', '.svg', '.html', '.txt', '.webmanifest'])
/**
 * Compression of smaller files saves no packet. For files in `assets` the program embeds only this
 * form.
 */
const SMALLEST = 512
const ASSETS = `assets${sep}`

const brotli = promisify(brotliCompress)

for (const file of await readdir(folder, { recursive: true })) {
  if (!TEXT.has(extname(file)) || leftOut.includes(file)) continue
  const path = join(folder, file)
  const text = await readFile(path)
  if (text.length < SMALLEST && !file.startsWith(ASSETS)) continue
  const packed = await brotli(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  })
  await writeFile(`${path}.br`, packed)
}
