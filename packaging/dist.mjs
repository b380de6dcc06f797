// `just dist npm`: makes what is published, in target/dist. `just dist test`: tries what was made, as somebody meets it
// who has nothing but Node. Both take the binaries of DIST_BINARIES, a folder by machine (`linux-x64/palmares`); without
// it a release build is made for this machine.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { MACHINES, PROGRAMS, makePackages } from './npm/packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'target/dist')

const STEPS = { npm, test }

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in STEPS))
if (names.length === 0 || unknown.length > 0) {
  console.error(`usage: just dist ${Object.keys(STEPS).join('|')}`)
  process.exit(2)
}
for (const name of names) STEPS[name]()

function npm() {
  const into = join(out, 'npm')
  mkdirSync(into, { recursive: true })
  for (const [program, binaries] of binariesByProgram()) {
    for (const archive of makePackages(program, binaries, into)) console.log(archive)
  }
}

function test() {
  run(process.execPath, ['--test', '--test-reporter=spec', join(root, 'packaging/npm/npx.test.mjs')])
}

/** The programs that there are binaries for, each with its binary by machine. */
function binariesByProgram() {
  const given = process.env.DIST_BINARIES
  const folders = given ? machinesIn(given) : { [machine()]: builtHere() }
  return Object.keys(PROGRAMS).flatMap((program) => {
    const found = Object.entries(folders).filter(([, folder]) => existsSync(join(folder, program)))
    const binaries = Object.fromEntries(found.map(([name, folder]) => [name, join(folder, program)]))
    return found.length > 0 ? [[program, binaries]] : []
  })
}

function machinesIn(folder) {
  const there = Object.keys(MACHINES).filter((name) => existsSync(join(folder, name)))
  if (there.length === 0) {
    console.error(`${folder} has no folder named for a machine (${Object.keys(MACHINES).join(', ')}); set DIST_BINARIES to one that has`)
    process.exit(1)
  }
  return Object.fromEntries(there.map((name) => [name, join(folder, name)]))
}

function machine() {
  const name = `${process.platform}-${process.arch}`
  if (name in MACHINES) return name
  console.error(`there are no packages for ${name}, only for ${Object.keys(MACHINES).join(', ')}`)
  process.exit(1)
}

function builtHere() {
  run('scripts/build-pages', [])
  run('cargo', ['build', '--release', '--bin', 'palmares', '--bin', 'supabase-compat'])
  return join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'release')
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
