// functions/v1: the first call of a TypeScript function, which starts its process, and calls of a
// running one; for comparison, a function that is linked into the program and does as little.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DENO, FUNCTIONS } from '../tests/support/deno.mjs'
import { eventually, startServer } from '../tests/support/server.mjs'
import { median, ROUNDS, SECONDS, wrk, wrkScript } from './load.mjs'
import { cpuOf, cpuSince, family, residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const CLIENTS = [1, 8, 32]
const COLD_ROUNDS = 9

const options = (env = {}) => ({
  name: 'palmares',
  args: ['--functions', FUNCTIONS],
  env: { DENO_PATH: DENO, FUNCTIONS_VERIFY_JWT: 'false', CAPTCHA_RATE_BURST: '4000000000', ...env },
})

/** Milliseconds of a call that starts a process, after the previous process has ended. */
async function cold(name, request) {
  const server = await startServer(options({ FUNCTIONS_IDLE_TIMEOUT: '250ms' }))
  try {
    const url = `${server.url}/functions/v1/${name}`
    const idle = family(server.pid).length
    const ask = async () => {
      const startedAt = performance.now()
      const answer = await fetch(url, request)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
      return performance.now() - startedAt
    }
    const durations = []
    // The very first call also fetches packages and compiles.
    const first = await ask()
    while (durations.length < COLD_ROUNDS) {
      await eventually(() => family(server.pid).length <= idle)
      durations.push({ milliseconds: await ask() })
    }
    return { first, again: median(durations, 'milliseconds') }
  } finally {
    await server.stop()
  }
}

function warm(server, script, path, clients) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuOf(family(server.pid))
    const run = wrk(`${server.url}/functions/v1/${path}`, script, clients)
    rounds.push({ ...run, cpu: (cpuSince(server.pid, before) / (run.rate * SECONDS)) * 1e6 })
  }
  return ['rate', 'p50', 'p99', 'cpu'].map((name) => median(rounds, name))
}

export async function functions() {
  const get = { method: 'GET' }
  const post = (value) => ({ method: 'POST', body: JSON.stringify(value) })
  const starts = []
  for (const [label, name, request] of [
    ['a function without imports', 'background', get],
    ['one with a package of npm (zod)', 'package', post({ game: 'chess', slots: 1 })],
  ]) {
    const { first, again } = await cold(name, request)
    starts.push(`| ${label} | ${first.toFixed(0)} | ${again.toFixed(0)} |`)
  }
  const server = await startServer(options())
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  const rows = []
  try {
    const script = wrkScript(folder, { headers: {} })
    for (const [group, path] of [
      ['TypeScript, `Response.json`', 'background'],
      ['Rust, native (a proof-of-work challenge)', 'captcha-challenge?purpose=vote&server=00000000-0000-4000-8000-000000000000'],
    ]) {
      const answer = await fetch(`${server.url}/functions/v1/${path}`)
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      for (const clients of CLIENTS) {
        const [rate, p50, p99, cpu] = warm(server, script, path, clients)
        rows.push(`| ${group} | ${clients} | ${rate.toFixed(0)} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${cpu.toFixed(0)} |`)
      }
    }
    rows.push('', `The server ends with ${residentMiB(server.pid).toFixed(0)} MiB resident.`)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    '| first call, milliseconds | ever | of a new process (median) |',
    '|---|---|---|',
    ...starts,
    '',
    '| warm calls | clients | calls/s | p50 ms | p99 ms | CPU µs, both processes |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
