/**
 * Writes a .br beside every text asset of the build (in `dist`, or the folder named), so that the server never
 * compresses them while it answers.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const DIST = process.argv[2] ?? new URL('../dist/', import.meta.url).pathname
const TEXT = new Set(['.js', '.css', '.json', '.svg', '.html', '.txt', '.webmanifest'])
/** Below this a compressed answer saves no packet. Of what is in `assets` the program carries this form alone. */
const SMALLEST = 512
const ASSETS = `assets${sep}`

const brotli = promisify(brotliCompress)

for (const file of await readdir(DIST, { recursive: true })) {
  if (!TEXT.has(extname(file))) continue
  const path = join(DIST, file)
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
