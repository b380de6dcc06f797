// Writes tests/fixtures/formats/<format>: a backup of a small site and of a small project, made by the programs that were
// built last (`BUILD_PROFILE=release` for a release). See the README there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { PROGRAMS, write } from '../tests/support/format-contents.mjs'
import { binary, scratchFolder, startServer } from '../tests/support/server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = readFileSync(join(root, 'supabase-compat/compat-stack/src/data_format.rs'), 'utf8')
const format = source.match(/DATA_FORMAT: u32 = ([0-9]+)/)[1]
for (const name of PROGRAMS) {
  const scratch = scratchFolder()
  const server = await startServer({ name, dataDir: scratch.path })
  try {
    await write(name, server)
    const folder = join(root, 'tests/fixtures/formats', format)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${name}.backup`)
    rmSync(file, { force: true })
    execFileSync(binary(name), ['backup', file, '--data-dir', scratch.path], { stdio: 'inherit' })
    console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`)
  } finally {
    await server.stop()
    scratch.remove()
  }
}
