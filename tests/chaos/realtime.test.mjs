// Kills under a stream of broadcasts from the database, in two processes over one database: a client that stays connected
// receives each acknowledged broadcast exactly once. `just test` makes one kill of each kind, `just chaos` CHAOS_ROUNDS rounds.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { createClient } from '../support/client.mjs'
import { connectedAsOwner } from '../support/database.mjs'
import { eventually, freePort, scratchFolder, startAfterKill, startServer } from '../support/server.mjs'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 1)
/** Subscribers of each process. */
const SUBSCRIBERS = 5
/** Broadcasts acknowledged between two kills. */
const BETWEEN = 200
const PATIENCE = { within: 90_000 }
const TOPIC = 'kills'

/** A data folder with the embedded PostgreSQL, and a second one for a process that connects to that database. */
async function site() {
  const folder = scratchFolder()
  const [first, second] = ['first', 'second'].map((name) => join(folder.path, name))
  const address = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(join(first, 'run'))}`
  // Clients come back to the same address.
  const ports = [await freePort(), await freePort()]
  return {
    folder,
    dataDir: first,
    processes: [],
    async startFirst() {
      this.processes[0] = await startServer({ dataDir: first, port: ports[0] })
    },
    async startSecond() {
      mkdirSync(second, { recursive: true, mode: 0o755 })
      cpSync(join(first, 'keys.json'), join(second, 'keys.json'))
      this.processes[1] = await startServer({ dataDir: second, port: ports[1], env: { DATABASE_URL: address } })
    },
  }
}

/** Sends one broadcast after the other; `kept` lists those that the database acknowledged. */
function sender(places) {
  const stored = []
  let next = 0
  let isOver = false
  const sending = (async () => {
    let session
    while (!isOver) {
      try {
        session ??= await connectedAsOwner(places)
        const number = next++
        const startedAt = performance.now()
        await session.query(`select realtime.send('{"number": ${number}}', 'said', '${TOPIC}', false)`)
        stored.push({ number, startedAt })
      } catch {
        await session?.end().catch(() => {})
        session = undefined
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    await session?.end()
  })()
  return {
    stored,
    async more(count) {
      const enough = stored.length + count
      await eventually(() => stored.length >= enough, PATIENCE)
    },
    async end() {
      isOver = true
      await sending
    },
  }
}

/** A subscribed client of a process; `times` has the received numbers for each period in which it was connected. */
function subscriber(place) {
  const client = createClient(place.url, place.keys.ANON_KEY)
  const times = []
  const current = () => times.at(-1)
  const channel = client.channel(TOPIC, { config: { broadcast: { replication_ready: true } } })
  channel.on('broadcast', { event: 'said' }, ({ payload }) => current()?.received.push(payload.number))
  channel.on('system', {}, ({ extension, status }) => {
    if (extension === 'system' && status === 'ok') times.push({ since: performance.now(), received: [], isOver: false })
  })
  channel.subscribe((status) => {
    if (status !== 'SUBSCRIBED' && current()) current().isOver = true
  })
  return {
    times,
    isConnected: () => current()?.isOver === false,
    stop: () => client.realtime.disconnect(),
  }
}

const kill = (pid) => process.kill(Number(pid), 'SIGKILL')

const kills = {
  async 'the other server'(places) {
    await places.processes[1].kill()
    await startAfterKill(() => places.startSecond())
  },
  async 'the postmaster'(places) {
    const [major] = readdirSync(join(places.dataDir, 'data'))
    kill(readFileSync(join(places.dataDir, 'data', major, 'postmaster.pid'), 'utf8').split('\n')[0])
  },
  async 'the server with its database'(places) {
    await places.processes[0].kill()
    await startAfterKill(() => places.startFirst())
  },
}

/** Numbers that are in a list more than once. */
const repeated = (numbers) => numbers.filter((number, place) => numbers.indexOf(number) !== place)

test('a connected client receives each broadcast exactly once', async (t) => {
  const places = await site()
  const subscribers = []
  t.after(async () => {
    for (const one of subscribers) await one.stop()
    for (const one of places.processes.reverse()) await one.stop()
    places.folder.remove()
  })
  await places.startFirst()
  await places.startSecond()
  for (const place of places.processes) {
    for (let count = 0; count < SUBSCRIBERS; count++) subscribers.push(subscriber(place))
  }
  const allConnected = () => eventually(() => subscribers.every((one) => one.isConnected()), PATIENCE)
  await allConnected()
  const traffic = sender(places)
  let judged = 0
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [killName, done] of Object.entries(kills)) {
        await traffic.more(BETWEEN)
        const before = subscribers.map((one) => one.times.length)
        await done(places)
        await traffic.more(BETWEEN)
        await allConnected()
        const stayed = subscribers.filter((one, place) => one.times.length === before[place])
        assert.ok(stayed.length >= SUBSCRIBERS, `${killName}: ${stayed.length} stayed connected`)
        t.diagnostic(`${killName} killed; ${stayed.length} stayed connected, ${traffic.stored.length} broadcasts so far`)
      }
    }
  } finally {
    await traffic.end()
  }
  for (const one of subscribers) {
    for (const time of one.times) {
      // Broadcasts from before a connection, or of a connection that ended, may be missing.
      const due = time.isOver ? [] : traffic.stored.filter(({ startedAt }) => startedAt > time.since).map(({ number }) => number)
      await eventually(() => due.every((number) => time.received.includes(number)), PATIENCE).catch(() => {
        const missed = due.filter((number) => !time.received.includes(number))
        assert.fail(`${missed.length} of ${due.length} broadcasts were not received: ${missed.slice(0, 20)}`)
      })
      assert.deepEqual(repeated(time.received), [])
      judged += due.length
    }
  }
  assert.ok(judged > BETWEEN, `${judged} broadcasts were awaited`)
  t.diagnostic(`${traffic.stored.length} broadcasts kept, ${judged} of them heard as they had to be`)
})
