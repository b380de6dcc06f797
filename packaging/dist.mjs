// `just dist STEP…`: makes what is published, in target/dist, and tries what was made (`test`). The steps take the
// binaries of DIST_BINARIES, a folder by machine (`linux-x64/palmares`); without it, portable ones are built.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { findBinaries, makeArchives } from './binaries/build.mjs'
import { makeDebs } from './deb/make.mjs'
import { makeImages } from './image/make.mjs'
import { makePackages } from './npm/packages.mjs'
import { PROGRAMS, out, root, run } from './programs.mjs'
import { makeRecipes } from './recipes/make.mjs'
import { makeWheels } from './wheel/make.mjs'

/** The steps, each after the steps that it depends on. */
const STEPS = {
  binaries: () => show(Object.values(found())),
  archives: () => show(makeArchives(found())),
  npm: () => show(npm()),
  deb: () => show(makeDebs(found())),
  wheels: () => show(makeWheels(found())),
  image: () => show(makeImages(found())),
  recipes: () => show(makeRecipes()),
  test,
}

const names = process.argv.slice(2)
const [first, ...rest] = names
// The names after `test` select parts of the tests.
const steps = first === 'test' ? ['test'] : names
const unknown = steps.filter((name) => !(name in STEPS))
if (steps.length === 0 || unknown.length > 0) {
  console.error(`usage: just dist ${Object.keys(STEPS).join('|')}`)
  process.exit(2)
}

let folders
for (const name of steps) STEPS[name]()

/** The binaries, found or built at the first call. */
function found() {
  return (folders ??= findBinaries())
}

function npm() {
  const into = join(out, 'npm')
  mkdirSync(into, { recursive: true })
  return Object.keys(PROGRAMS).flatMap((program) => {
    const own = Object.entries(found()).filter(([, folder]) => existsSync(join(folder, program)))
    return own.length > 0 ? makePackages(program, Object.fromEntries(own.map(([name, folder]) => [name, join(folder, program)])), into) : []
  })
}

function test() {
  const parts = { binaries: 'binaries/binaries', npm: 'npm/npx', deb: 'deb/deb', wheels: 'wheel/wheel', image: 'image/image', recipes: 'recipes/recipes' }
  const wanted = rest.length > 0 ? rest : Object.keys(parts)
  const strange = wanted.filter((part) => !(part in parts))
  if (strange.length > 0) {
    console.error(`usage: just dist test ${Object.keys(parts).join('|')}`)
    process.exit(2)
  }
  const files = wanted.map((part) => join(root, 'packaging', `${parts[part]}.test.mjs`))
  run(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files])
}

function show(paths) {
  for (const path of paths) console.log(path)
}
