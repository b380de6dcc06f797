// `just flaky PART [RUNS] [--load] [--delays | --at DATE] [-- WORD…]`: runs a part of the tests repeatedly, ten times by
// default, and reports which tests failed in which runs. `--load` keeps every core busy meanwhile; `--delays` makes threads
// slow now and then, other ones in each run; `--at` runs them as if it were that date (UTC). Words after `--` are arguments
// of the part's command: a file, a filter.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

import { countTests, failures, seeds } from './test-log.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const logs = join(root, 'target/flaky')

/** Every part: its command, what must be built before the first run, and the command that runs some of its tests again. */
const PARTS = {
  page: {
    command: ['npm', '--prefix', 'frontend', 'test', '--silent', '--'],
    // Files share a thread, so another order shows what a file leaves to the next one.
    order: (run) => ['--sequence.shuffle.files', `--sequence.seed=${run}`],
    again: (words) => `just test-page ${words}`,
  },
  rust: { command: ['scripts/test-rust'], again: (words) => `just test-rust ${words}` },
  client: {
    command: ['scripts/test-ends', 'client'],
    before: ['scripts/build-pages'],
    again: (words) => `just test-client ${words}`,
  },
  browser: {
    command: ['scripts/test-ends', 'browser'],
    before: ['scripts/build-pages'],
    again: (words) => `just test-browser ${words}`,
  },
  chaos: { command: ['scripts/test-ends', 'chaos'], before: ['scripts/build-pages'], again: () => 'just chaos 1' },
  console: {
    command: ['npm', '--prefix', 'supabase-compat/console', 'test', '--silent', '--'],
    order: (run) => ['--sequence.shuffle.files', `--sequence.seed=${run}`],
    again: (words) => `npm --prefix supabase-compat/console test -- ${words}`,
  },
}

const { part, runs, load, delays, at, words } = readCommandLine(process.argv.slice(2))
const { command, before, order = () => [], again } = PARTS[part]
mkdirSync(logs, { recursive: true })
if (before) await runOnce(before, join(logs, `${part}-before.log`))

// Worker threads in an endless loop; they end with this process.
const loadThreads = load ? Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true })) : []
const outcomes = []
for (let run = 1; run <= runs; run += 1) {
  const path = join(logs, `${part}-${run}.log`)
  const from = Date.now()
  const code = await runOnce([...conditions(run), ...command, ...order(run), ...words], path)
  const text = readFileSync(path, 'utf8')
  const { passed, failed } = countTests(text)
  const seconds = Math.round((Date.now() - from) / 1000)
  console.log(`${code === 0 ? '✓' : '✗'} run ${run} of ${runs}: ${seconds} s, ${passed} passed, ${failed} failed`)
  outcomes.push({ run, code, path, failures: failures(text), seeds: seeds(text) })
  // If no test ran, further runs would fail in the same way.
  if (code !== 0 && passed + failed === 0) break
}
await Promise.all(loadThreads.map((thread) => thread.terminate()))
report(outcomes)

/** The words before the part's command. */
function conditions(run) {
  if (at) return ['scripts/at-date', at]
  return delays ? ['scripts/with-delays', String(run)] : []
}

function readCommandLine(all) {
  const end = all.indexOf('--')
  const [args, words] = end < 0 ? [all, []] : [all.slice(0, end), all.slice(end + 1)]
  const { values, positionals } = parseArgs({
    args,
    options: { load: { type: 'boolean', default: false }, delays: { type: 'boolean', default: false }, at: { type: 'string' } },
    allowPositionals: true,
  })
  const [part, runs = '10', ...more] = positionals
  const { load, delays, at } = values
  // Both load a library and stand in for PostgreSQL's programs.
  const isAmbiguous = delays && at
  if (!part || !Object.hasOwn(PARTS, part) || !/^[1-9]\d*$/.test(runs) || more.length > 0 || isAmbiguous) {
    console.error(`usage: just flaky PART [RUNS] [--load] [--delays | --at DATE] [-- WORD…]. Parts: ${Object.keys(PARTS).join(', ')}`)
    process.exit(2)
  }
  return { part, runs: Number(runs), load, delays, at, words }
}

/** Runs a command to its end with its output in a log; resolves with its exit code. */
function runOnce([program, ...rest], path) {
  const log = createWriteStream(path)
  const child = spawn(program, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  return new Promise((resolve) => {
    child.once('error', (error) => log.write(`${program} could not be started: ${error.message}\n`))
    child.once('close', (code) => log.end(() => resolve(code ?? 1)))
  })
}

/** Prints what failed in which runs and how to run it again, and sets the exit code. */
function report(all) {
  const failed = all.filter(({ code }) => code !== 0)
  console.log(
    `\n${all.length - failed.length} of ${all.length} runs of ${[part, ...words].join(' ')} passed${load ? ' under load' : ''}${delays ? ' with delays' : ''}${at ? ` at ${at}` : ''}.`,
  )
  const byTest = new Map()
  for (const { run, failures: names } of failed) {
    for (const name of names) byTest.set(name, [...(byTest.get(name) ?? []), run])
  }
  for (const [name, numbers] of byTest) console.log(`- ${name}: run ${numbers.join(', ')}`)
  for (const { run, failures: names, seeds: used, path } of failed) {
    if (names.length === 0) console.log(`- run ${run} failed without a test: ${path}`)
    for (const seed of used) console.log(`  run ${run} began with ${seed}`)
    if (order(run).length > 0) console.log(`  run ${run} had the order of ${order(run).join(' ')}`)
  }
  if (failed.length > 0) {
    console.log(`Logs: ${failed.map(({ path }) => path).join(' ')}`)
    console.log(`Run again: ${again(words.join(' ') || '<file or filter>')}`)
  }
  process.exitCode = failed.length === 0 ? 0 : 1
}
