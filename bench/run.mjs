// `just bench [what…]`: measures on this machine, in one run, and writes the tables into
// docs/performance.md between their marks. Without arguments, everything is measured.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { basename, dirname, resolve } from 'node:path'

import { admin } from './admin.mjs'
import { auth } from './auth.mjs'
import { console as consolePages } from './console.mjs'
import { deliveries } from './deliveries.mjs'
import { functions } from './functions.mjs'
import { growth } from './growth.mjs'
import { images } from './images.mjs'
import { install } from './install.mjs'
import { list } from './list.mjs'
import { pages } from './pages.mjs'
import { realtime } from './realtime.mjs'
import { rest } from './rest.mjs'
import { start } from './start.mjs'
import { storage } from './storage.mjs'
import { tools } from './tools.mjs'
import { votes } from './votes.mjs'
import { widgets } from './widgets.mjs'

const ALL = { start, pages, list, growth, admin, votes, deliveries, widgets, rest, auth, functions, storage, realtime, images, tools, console: consolePages, install }
const document = new URL('../docs/performance.md', import.meta.url)

function write(name, table) {
  const text = readFileSync(document, 'utf8')
  const marked = new RegExp(`(<!-- bench:${name} -->)[\\s\\S]*?(<!-- /bench -->)`)
  if (!marked.test(text)) throw new Error(`docs/performance.md has no place for ${name}`)
  writeFileSync(document, text.replace(marked, (_, open, close) => `${open}\n${table.trim()}\n${close}`))
}

// BENCH_BINARIES names a folder of programs built earlier; the default is cargo's release folder.
if (process.env.BENCH_BINARIES) {
  const folder = resolve(process.env.BENCH_BINARIES)
  process.env.CARGO_TARGET_DIR = dirname(folder)
  process.env.BUILD_PROFILE = basename(folder)
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in ALL))
if (unknown.length > 0) throw new Error(`unknown benchmark ${unknown}; known: ${Object.keys(ALL)}`)

const machine = `${cpus().length} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`
for (const [name, measure] of Object.entries(ALL)) {
  if (names.length > 0 && !names.includes(name)) continue
  console.log(`measuring: ${name}`)
  const table = await measure()
  console.log(`\n${table}\n`)
  const seconds = process.env.BENCH_SECONDS ? `BENCH_SECONDS=${process.env.BENCH_SECONDS} ` : ''
  write(name, `${table.trim()}\n\n${machine}; \`${seconds}just bench ${name}\`.`)
}
