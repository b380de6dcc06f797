// `just test [--timings] [part…]`: all parts of the test run, or the named ones with their prerequisites. A part
// starts when its prerequisites have passed. Each writes its own log; this prints a line when a part starts and ends.
import { spawn } from 'node:child_process'
import { accessSync, constants, createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { countTests, panics, slowest } from './test-log.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const logs = join(root, 'target/test-log')

// cargo needs a C compiler as its linker; the tools include one if it is missing.
const compiler = onPath('cc') ? [] : ['tools']

/**
 * Every part: its command, the parts that must have passed before it begins, and the command that runs one of its tests
 * again. Parts that are ready at the same time start in this order. `load` is the share of the machine that a part keeps
 * busy, 1 by default: 0.5 is one of two cores, 0 waits for the network.
 */
const PARTS = {
  tools: { command: ['scripts/install-tools'], load: 0 },
  build: { command: ['scripts/build-tests'], after: compiler, again: 'just check' },
  packages: { command: ['scripts/build-pages', '--packages'], load: 0 },
  pages: { command: ['scripts/build-pages'], after: ['packages'] },
  checks: { command: ['npm', '--prefix', 'frontend', 'run', '--silent', 'check'], after: ['pages'], load: 0.5, again: 'npm --prefix frontend run check' },
  scripts: { command: ['node', '--test', 'scripts/preload.test.mjs', 'scripts/test-log.test.mjs', 'scripts/test-names.test.mjs'], after: ['tools'] },
  console: { command: ['npm', '--prefix', 'supabase-compat/console', 'run', '--silent', 'verify'], after: ['pages'], load: 0.5, again: 'npm --prefix supabase-compat/console run verify' },
  page: { command: ['npm', '--prefix', 'frontend', 'test', '--silent'], after: ['pages'], again: 'just test-page <file> -t <name>' },
  client: { command: ['scripts/test-ends', 'client'], after: ['tools', 'build', 'pages'], again: 'just test-client <file>' },
  rust: { command: ['scripts/test-rust'], after: ['tools', 'build'], again: 'just test-rust <name>' },
  browser: { command: ['scripts/test-ends', 'browser'], after: ['tools', 'build', 'pages'], again: 'just test-browser <file>' },
  chaos: { command: ['scripts/test-ends', 'chaos'], after: ['tools', 'build', 'pages'], again: 'just chaos 1' },
  types: { command: ['scripts/generate-database-types', '--check'], after: ['build', 'pages'], again: 'just database-types' },
}

/** The most load of the parts that run in parallel. */
const MAX_LOAD = Number(process.env.TEST_LOAD ?? 1)

/** How many of the last lines of a failed part's log are printed. */
const LOG_TAIL = 80

const words = process.argv.slice(2)
const timings = words.includes('--timings')
const named = words.filter((word) => word !== '--timings')
const unknown = named.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}

mkdirSync(logs, { recursive: true })
const began = Date.now()
const outcomes = await runAll(withPrerequisites(named.length > 0 ? named : Object.keys(PARTS)))
report(outcomes)

function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The names and all their prerequisites, in the order of `PARTS`. */
function withPrerequisites(names) {
  const selected = new Set()
  const add = (name) => {
    selected.add(name)
    for (const before of PARTS[name].after ?? []) add(before)
  }
  for (const name of names) add(name)
  return Object.keys(PARTS).filter((name) => selected.has(name))
}

/** Runs each part when its prerequisites have passed and the machine has room for it; resolves with all outcomes. */
async function runAll(names) {
  const waiting = new Set(names)
  const running = new Map()
  const done = new Map()
  const passed = (name) => done.get(name)?.code === 0
  const loadOf = (name) => PARTS[name].load ?? 1
  const loaded = () => [...running.keys()].reduce((sum, name) => sum + loadOf(name), 0)
  while (waiting.size > 0 || running.size > 0) {
    for (const name of waiting) {
      const before = PARTS[name].after ?? []
      if (before.some((other) => done.has(other) && !passed(other))) {
        waiting.delete(name)
        done.set(name, { name, code: null, seconds: 0 })
        console.log(`- ${name}: not run, because ${before.find((other) => done.has(other) && !passed(other))} failed`)
      } else if ((loaded() === 0 || loaded() + loadOf(name) <= MAX_LOAD) && before.every(passed)) {
        waiting.delete(name)
        running.set(name, run(name))
      }
    }
    if (running.size === 0) continue
    const outcome = await Promise.race(running.values())
    running.delete(outcome.name)
    done.set(outcome.name, outcome)
  }
  return [...done.values()]
}

/** Runs one part to its end. */
function run(name) {
  const { command, again } = PARTS[name]
  const from = Date.now()
  const before = processorTimes()
  const path = join(logs, `${name}.log`)
  const log = createWriteStream(path)
  console.log(`> ${name}`)
  const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  return new Promise((resolve) => {
    child.once('error', (error) => log.write(`${command[0]} could not be started: ${error.message}\n`))
    child.once('close', (code, signal) => {
      log.end(() => {
        const seconds = Math.round((Date.now() - from) / 1000)
        const text = readFileSync(path, 'utf8')
        const tests = countTests(text)
        const busy = busyShare(before, processorTimes())
        const counted = tests.passed + tests.failed > 0 ? `, ${tests.passed} passed, ${tests.failed} failed` : ''
        console.log(`${code === 0 ? '✓' : '✗'} ${name}: ${seconds} s${counted}`)
        if (code !== 0) {
          const lines = text.trimEnd().split('\n')
          console.log(lines.slice(-LOG_TAIL).join('\n'))
          for (const panic of panics(text)) console.log(panic)
          console.log(`${name} failed (${signal ?? `exit code ${code}`}). Whole log: ${path}`)
          if (again) console.log(`Run one again: npx --yes rust-${again}`.replace('rust-npm', 'npm'))
        }
        resolve({ name, code: code ?? 1, seconds, busy, tests, text })
      })
    })
  })
}

/** The total and the idle time of all cores since the machine started, in milliseconds. */
function processorTimes() {
  const times = cpus().map(({ times }) => times)
  const all = times.flatMap((core) => Object.values(core)).reduce((sum, time) => sum + time, 0)
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) }
}

/** The share of busy processor time between two readings, in percent. */
function busyShare(before, after) {
  const all = after.all - before.all
  return all > 0 ? Math.round(100 * (1 - (after.idle - before.idle) / all)) : 0
}

/** Prints the summary and sets the exit code. */
function report(all) {
  const failed = all.filter(({ code }) => code !== 0)
  if (timings) {
    console.log('\n| part | seconds | cores busy | tests |\n|---|---|---|---|')
    for (const { name, seconds, busy = 0, tests } of all) {
      console.log(`| ${name} | ${seconds} | ${busy} % | ${tests ? tests.passed + tests.failed : 0} |`)
    }
    console.log('\nThe twenty slowest tests:\n\n| seconds | part | test |\n|---|---|---|')
    for (const { part, name, seconds } of slowest(all, 20)) console.log(`| ${seconds.toFixed(1)} | ${part} | ${name} |`)
  }
  const sum = (key) => all.reduce((total, { tests }) => total + (tests?.[key] ?? 0), 0)
  const minutes = ((Date.now() - began) / 60_000).toFixed(1)
  console.log(`\n${failed.length === 0 ? 'All parts passed' : `Failed: ${failed.map(({ name }) => name).join(', ')}`} in ${minutes} minutes.`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
