// auth/v1: refreshes, reads of the user and of the key set next to the bare statements behind them,
// and the effect of password sign-ins on the latency of the ranked list.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { asOwner } from '../tests/support/database.mjs'
import { startServer } from '../tests/support/server.mjs'
import { pgbench } from './ceiling.mjs'
import { ROUNDS, SECONDS, median, wrk, wrkScript } from './load.mjs'
import { cpuOf, cpuSeconds, cpuSince, family, residentMiB } from './processes.mjs'
import { LIST } from './list.mjs'

process.env.BUILD_PROFILE ??= 'release'

const CLIENTS = 32
const SIGN_INS = 100
const PASSWORD = 'palmares-demo'

async function signIn(server) {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.keys.ANON_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'player@palmares.test', password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Refreshes every session in a loop of its own, because each refresh needs the token of the previous one. */
async function refreshes(server, sessions) {
  const until = performance.now() + SECONDS * 1000
  const headers = { apikey: server.keys.ANON_KEY, 'content-type': 'application/json' }
  const durations = []
  await Promise.all(
    sessions.map(async (session) => {
      while (performance.now() < until) {
        const began = performance.now()
        const response = await fetch(`${server.url}/auth/v1/token?grant_type=refresh_token`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ refresh_token: session.refresh_token }),
        })
        if (!response.ok) throw new Error(`refresh: ${response.status} ${await response.text()}`)
        session.refresh_token = (await response.json()).refresh_token
        durations.push(performance.now() - began)
      }
    }),
  )
  durations.sort((a, b) => a - b)
  const at = (share) => durations[Math.floor(durations.length * share)]
  return { rate: durations.length / SECONDS, p50: at(0.5), p99: at(0.99) }
}

async function counted(server, work) {
  const [before, ownCpu] = [cpuOf(family(server.pid)), cpuSeconds(server.pid)]
  const run = await work()
  const each = (seconds) => (seconds / (run.rate * SECONDS)) * 1e6
  return {
    ...run,
    own: each(cpuSeconds(server.pid) - ownCpu),
    database: each(cpuSince(server.pid, before, [server.pid])),
  }
}

async function rounds(work) {
  const runs = []
  for (let round = 0; round < ROUNDS; round++) runs.push(await work())
  return runs
}

/** The statements that a request needs at least; every client uses a session of its own. */
const MINE = '(select session from bench_sessions where n = :client_id)'
const BARE = {
  refresh: `begin;
select * from auth.refresh_tokens where session_id = ${MINE} and not revoked for update;
select * from auth.sessions where id = ${MINE} for update;
select * from auth.users where id = (select who from bench_sessions where n = :client_id);
update auth.refresh_tokens set updated_at = now() where session_id = ${MINE} and not revoked;
update auth.sessions set refreshed_at = now() where id = ${MINE};
commit;`,
  user: `begin;
select * from auth.users where id = (select who from bench_sessions where n = :client_id);
select * from auth.sessions where id = ${MINE};
select * from auth.identities where user_id = (select who from bench_sessions where n = :client_id);
commit;`,
}

function bareStatements(server, folder, sql) {
  const file = join(folder, 'bare.sql')
  writeFileSync(file, sql)
  return pgbench(server, file, {}, SECONDS, 'postgres')
}

function row(name, runs, ceiling) {
  const of = (metric) => median(runs, metric)
  const beside = ceiling ? [ceiling.toFixed(0), (of('rate') / ceiling).toFixed(2)] : ['', '']
  const cells = [name, of('rate').toFixed(0), of('p50').toFixed(2), of('p99').toFixed(2), of('own').toFixed(0), of('database').toFixed(0), ...beside]
  return `| ${cells.join(' | ')} |`
}

/** Tail latency of the list at rest, and under the sign-ins of a hundred concurrent people. */
async function signInLoad(server, list) {
  const unloaded = wrk(server.url + LIST, list, 8)
  let isRunning = true
  let [signedIn, late] = [0, 0]
  const peak = { memory: 0 }
  const signingIn = (async () => {
    while (isRunning) {
      const people = await Promise.allSettled(Array.from({ length: SIGN_INS }, () => signIn(server)))
      signedIn += people.filter(({ status }) => status === 'fulfilled').length
      late += people.filter(({ status }) => status === 'rejected').length
      peak.memory = Math.max(peak.memory, residentMiB(server.pid))
    }
  })()
  const loaded = await wrkBeside(server.url + LIST, list, 8)
  isRunning = false
  await signingIn
  return { unloaded, loaded, signedIn, late, memory: peak.memory }
}

/** Runs wrk in a worker thread, so that this thread can keep signing people in. */
function wrkBeside(url, script, clients) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       import(workerData.module).then(({ wrk }) => parentPort.postMessage(wrk(...workerData.of)))`,
      { eval: true, workerData: { module: new URL('load.mjs', import.meta.url).href, of: [url, script, clients] } },
    )
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

export async function auth() {
  const server = await startServer({ args: ['--demo'], env: { COMPAT_RATE_LIMIT_GUESSES: 'false' } })
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const { access_token: token } = await signIn(server)
    const visitor = { apikey: server.keys.ANON_KEY }
    const user = wrkScript(folder, { headers: { ...visitor, authorization: `Bearer ${token}` } })
    const anyone = wrkScript(folder, { headers: visitor })
    const reads = (path, script) => () => counted(server, async () => wrk(server.url + path, script, CLIENTS))
    const sessions = await Promise.all(Array.from({ length: CLIENTS }, () => signIn(server)))
    const refreshing = await rounds(() => counted(server, () => refreshes(server, sessions)))
    const reading = await rounds(reads('/auth/v1/user', user))
    const keys = await rounds(reads('/auth/v1/.well-known/jwks.json', anyone))
    await asOwner(
      server,
      `create table bench_sessions as
         select (row_number() over (order by id) - 1)::int as n, id as session, user_id as who from auth.sessions;
       create unique index on bench_sessions (n);`,
    )
    const beside = { refresh: bareStatements(server, folder, BARE.refresh), user: bareStatements(server, folder, BARE.user) }
    const during = await signInLoad(server, anyone)
    return [
      '| request | requests/s | p50 ms | p99 ms | server CPU µs | PostgreSQL CPU µs | bare statements tx/s | ratio |',
      '|---|---|---|---|---|---|---|---|',
      row('refresh a session', refreshing, beside.refresh),
      row('`GET /user`', reading, beside.user),
      row('the key set', keys),
      '',
      `${CLIENTS} clients, medians of ${ROUNDS} rounds of ${SECONDS} s. Refreshes come from Node, which shares the cores; the bare statements are sent by pgbench one after the other, each client on a session of its own.`,
      '',
      `Load: while ${SIGN_INS} people at a time signed in with their passwords (${during.signedIn} got in, ${during.late} were told to come back), the ranked list with 8 clients went from ${during.unloaded.rate.toFixed(0)} requests/s and a p99 of ${during.unloaded.p99.toFixed(1)} ms to ${during.loaded.rate.toFixed(0)} and ${during.loaded.p99.toFixed(1)} ms; the server took at peak ${during.memory.toFixed(0)} MiB.`,
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
