// realtime/v1: idle sockets, broadcasts beside a bare server on the same library, presence, changes of tables. Clients
// are a program of ours (`load` of bench-programs), because a client in JavaScript would be the slower side.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

import { connectedAsOwner } from '../tests/support/database.mjs'
import { binary, startServer } from '../tests/support/server.mjs'
import { createClient } from '../tests/support/client.mjs'
import { ROUNDS, SECONDS } from './load.mjs'
import { cpuSeconds, residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

/** Subscribers of one group see the rows of their group. */
const GROUPS = 3
/** Factor for all sizes; below 1 for a quick trial. */
const SCALE = Number(process.env.BENCH_SCALE ?? 1)
const scaled = (number) => Math.max(1, Math.round((number * SCALE) / GROUPS)) * GROUPS

/** Limit of open files of a process, which bounds the number of idle sockets. */
const FILES = Number(readFileSync('/proc/self/limits', 'utf8').match(/Max open files\s+(\d+)/)[1])
const IDLE = Math.min(scaled(10_000), Math.floor(FILES * 0.45), 10_000)
/** Numbers of receivers of a broadcast; with one, the broadcast is an echo. */
const RECEIVERS = [1, scaled(100), scaled(1000)]
const TRACKERS = scaled(50)
const SUBSCRIBERS = scaled(1000)
/** So few subscribers that deliveries do not saturate the cores, and the delay is that of a change alone. */
const FEW = scaled(60)
/** Changes a second where the delay is measured, and how many without a pause. */
const STEADY = scaled(1000)
const BURST = scaled(6000)
/** Rows per transaction, an equal number for each group. */
const TOGETHER = 30

const UNLIMITED = '1000000000'
const ENVIRONMENT = {
  GOTRUE_MAILER_AUTOCONFIRM: 'true',
  REALTIME_MAX_SOCKETS_PER_ADDRESS: UNLIMITED,
  // All clients have one address, and so share its limits.
  REALTIME_MAX_UNREAD_SIZE_KB: UNLIMITED,
  TENANT_MAX_EVENTS_PER_SECOND: UNLIMITED,
  TENANT_MAX_BYTES_PER_SECOND: UNLIMITED,
  REALTIME_CLIENT_PRESENCE_MAX_CALLS: UNLIMITED,
  REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND: UNLIMITED,
}

const TABLE = `
  create table public.bench (id bigint generated always as identity primary key, owner uuid not null, body text);
  alter table public.bench enable row level security;
  create policy "own rows" on public.bench for select to authenticated using (owner = (select auth.uid()));
  grant select on public.bench to authenticated;
  alter publication supabase_realtime add table public.bench;`

/** Runs a program that prints JSON objects, one per line. */
function run(name, args) {
  const child = spawn(binary(name), args.map(String), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  // Writing to a process that has ended fails; the error is ignored.
  child.stdin.on('error', () => {})
  return {
    pid: child.pid,
    async line() {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${name} ${args[0] ?? ''} ended with ${(await ended)[0]}: cargo build -p bench-programs`)
      return value
    },
    async result() {
      return JSON.parse(await this.line())
    },
    async end() {
      child.stdin.end('\n')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The result of a load that ends by itself, and the server's processor time per delivery. */
async function loaded(pid, args) {
  const before = cpuSeconds(pid)
  const load = run('load', args)
  const result = await load.result()
  await load.end()
  return { ...result, cpu: cpuSeconds(pid) - before }
}

async function rounds(work) {
  const runs = []
  for (let round = 0; round < ROUNDS; round++) runs.push(await work())
  return runs
}

const inOrder = (runs, read) => runs.map(read).sort((a, b) => a - b)
const middle = (runs, read) => inOrder(runs, read)[Math.floor(runs.length / 2)]

/** The median, and between which values the rounds lie. */
function spread(runs, read, digits) {
  const values = inOrder(runs, read).map((value) => value.toFixed(digits))
  return `${values[Math.floor(values.length / 2)]} (${values[0]} to ${values.at(-1)})`
}

async function idle(server, url) {
  const before = residentMiB(server.pid)
  const load = run('load', ['idle', url, IDLE])
  const { sockets, seconds, times } = await load.result()
  const kib = ((residentMiB(server.pid) - before) * 1024) / sockets
  await load.end()
  return (
    `${sockets} idle sockets, each in a channel of its own, took ${kib.toFixed(1)} KiB each and ${seconds.toFixed(1)} s to connect and join ` +
    `(32 at once; each ${times.p50.toFixed(1)} ms, p99 ${times.p99.toFixed(1)} ms).`
  )
}

async function fanOut(server, bare, url, receivers) {
  // The two alternate, so that other load on the machine affects both.
  const pairs = await rounds(async () => ({
    own: await loaded(server.pid, ['fan-out', url, receivers, SECONDS]),
    plain: await loaded(bare.pid, ['fan-out', bare.url, receivers, SECONDS, 'bare']),
  }))
  const row = (name, runs, ratio) => {
    const cells = [
      name,
      middle(runs, (run) => run.broadcasts).toFixed(0),
      spread(runs, (run) => run.deliveries, 0),
      middle(runs, (run) => run.times.p50).toFixed(2),
      middle(runs, (run) => run.times.p99).toFixed(2),
      middle(runs, (run) => (run.cpu / (run.deliveries * SECONDS)) * 1e6).toFixed(2),
      ratio,
    ]
    return `| ${cells.join(' | ')} |`
  }
  const ratio = spread(pairs, ({ own, plain }) => own.deliveries / plain.deliveries, 2)
  return [
    row(`broadcasts to ${receivers}`, pairs.map(({ own }) => own), ratio),
    row(`bare server, the same`, pairs.map(({ plain }) => plain), ''),
  ]
}

async function presence(url) {
  const runs = await rounds(async () => {
    const load = run('load', ['presence', url, TRACKERS, SECONDS])
    const result = await load.result()
    await load.end()
    return result
  })
  return (
    `${TRACKERS} clients in one channel, each told of all others, track ${spread(runs, (run) => run.joins, 0)} times a second ` +
    `(p50 ${middle(runs, (run) => run.times.p50).toFixed(1)} ms, p99 ${middle(runs, (run) => run.times.p99).toFixed(1)} ms).`
  )
}

/** Makes an account for each group; returns ids and tokens. */
async function people(server) {
  const all = []
  for (let number = 0; number < GROUPS; number++) {
    const client = createClient(server.url, server.keys.ANON_KEY)
    const { data, error } = await client.auth.signUp({ email: `group${number}@bench.test`, password: 'correct horse' })
    if (error) throw error
    all.push({ id: data.user.id, token: data.session.access_token })
  }
  return all
}

/** Inserts rows for the groups in turn, `together` per transaction, with or without a pause; resolves after the last. */
async function write(session, ids, rows, { together, pause }) {
  const text = `insert into public.bench (owner, body) select ($1::uuid[])[n % ${GROUPS} + 1], 'what happened' from generate_series(0, $2 - 1) as n`
  const startedAt = performance.now()
  for (let done = 0, turn = 1; done < rows; done += together, turn++) {
    await session.query(text, [ids, together])
    if (pause) await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAt + turn * pause - performance.now())))
  }
}

async function changed(server, url, groups, subscribers, rows, how) {
  const session = await connectedAsOwner(server)
  const load = run('load', ['changes', url, subscribers, rows / GROUPS, ...groups.map(({ token }) => token)])
  try {
    await load.result()
    await write(session, groups.map(({ id }) => id), rows, how)
    return await load.result()
  } finally {
    await load.end()
    await session.end()
  }
}

/** Delays from commit to receipt. */
function delays(runs) {
  const [p50, p99] = ['p50', 'p99'].map((which) => spread(runs, (run) => run.times[which], 1))
  return `from commit to receipt ${p50} ms, p99 ${p99} ms`
}

/** Changes of tables, on a server of their own, so that leftover work of other workloads adds no delay. */
async function changes() {
  const server = await startServer({ name: 'supabase-compat', env: ENVIRONMENT })
  try {
    const session = await connectedAsOwner(server)
    await session.query(TABLE)
    await session.end()
    const groups = await people(server)
    // Whole transactions, so that each group gets as many rows.
    const roundedUp = (rows) => Math.ceil(rows / TOGETHER) * TOGETHER
    const pause = (TOGETHER * 1000) / STEADY
    const url = socketUrl(server)
    const steady = (subscribers) =>
      rounds(() => changed(server, url, groups, subscribers, roundedUp(STEADY * SECONDS), { together: TOGETHER, pause }))
    const [few, many] = [await steady(FEW), await steady(SUBSCRIBERS)]
    const burst = await rounds(() => changed(server, url, groups, SUBSCRIBERS, roundedUp(BURST), { together: Math.min(TOGETHER * 10, roundedUp(BURST)) }))
    return (
      `${STEADY} changes a second, each told to a third of the subscribers (${GROUPS} groups of rights). Of ${FEW}: ${delays(few)} ` +
      `(aim: 20), ${spread(few, (run) => run.deliveries, 0)} deliveries a second. Of ${SUBSCRIBERS}, which is as much as both cores ` +
      `can deliver and receive: ${delays(many)}, ${spread(many, (run) => run.deliveries, 0)} deliveries a second. ` +
      `${BURST} changes without a pause: ${spread(burst, (run) => run.deliveries, 0)} deliveries a second.`
    )
  } finally {
    await server.stop()
  }
}

const socketUrl = (server) =>
  `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.keys.ANON_KEY}&vsn=2.0.0`

/** Sockets, broadcasts beside the bare server, and presences. */
async function sockets() {
  const server = await startServer({ name: 'supabase-compat', env: ENVIRONMENT })
  const bare = run('fan_out', [])
  try {
    bare.url = (await bare.line()).slice('ready '.length)
    const url = socketUrl(server)
    const opened = await idle(server, url)
    const rows = []
    for (const receivers of RECEIVERS) rows.push(...(await fanOut(server, bare, url, receivers)))
    return [
      '| workload | broadcasts/s | deliveries/s | p50 ms | p99 ms | CPU µs | ratio |',
      '|---|---|---|---|---|---|---|',
      ...rows,
      '',
      `Eight broadcasts of 128 bytes are under way at once; medians of ${ROUNDS} rounds of ${SECONDS} s in turn, and between which values they lie. CPU is the server's, per delivery. ` +
        'The ratio (aim: 0.7) is to the row below: axum\'s websocket, a list of clients, and nothing else. Clients run on the same machine.',
      '',
      opened,
      '',
      await presence(url),
    ]
  } finally {
    await bare.stop()
    await server.stop()
  }
}

export async function realtime() {
  return [...(await sockets()), '', await changes()].join('\n')
}
