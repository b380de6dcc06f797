// Kills under a stream of votes: what was acknowledged is there, once, and every figure is what the votes say, in two
// processes over one database. `just test` has one kill of each kind, `just chaos` as many rounds as CHAOS_ROUNDS says.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { solveCaptcha } from '../support/captcha.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, scratchFolder, startServer } from '../support/server.mjs'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 1)
const VOTERS_AT_ONCE = 12
/** Votes acknowledged between two kills. */
const BETWEEN = 40
const PATIENCE = { within: 60_000 }

/** Voters do no work, and come through a proxy that tells their address. */
const ENVIRONMENT = { CAPTCHA_COST: '1', CAPTCHA_ROUNDS: '1-1', TRUSTED_PROXIES: '127.0.0.1' }

/** A folder with an embedded PostgreSQL, and a second one beside it for the process that only has its address. */
function site() {
  const folder = scratchFolder()
  const [first, second] = ['first', 'second'].map((name) => join(folder.path, name))
  const address = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(join(first, 'run'))}`
  return {
    folder,
    dataDir: first,
    processes: [],
    async startFirst() {
      this.processes[0] = await startServer({ args: ['--demo'], dataDir: first, env: ENVIRONMENT })
    },
    async startSecond() {
      mkdirSync(second, { recursive: true, mode: 0o755 })
      cpSync(join(first, 'keys.json'), join(second, 'keys.json'))
      this.processes[1] = await startServer({ dataDir: second, env: { ...ENVIRONMENT, DATABASE_URL: address } })
    },
    /** Whichever process: the voter does not choose. */
    url(number) {
      return this.processes[number % 2].url
    },
  }
}

/** The answer to a request, or nothing where there was none. */
async function answered(ask) {
  try {
    const answer = await ask()
    return { status: answer.status, body: await answer.json() }
  } catch {
    return undefined
  }
}

const passing = (answer) => answer === undefined || answer.status >= 500

/** One vote, asked again as it is until somebody has decided it; what was said in the end. */
async function voted(places, number, serverId) {
  const nickname = `Chaos ${number}`
  const headers = { 'x-forwarded-for': `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` }
  const captcha = await eventually(() => solveCaptcha(places.url(number), serverId, headers).catch(() => null), PATIENCE)
  const body = JSON.stringify({ serverId, nickname, captcha })
  let lost = 0
  const answer = await eventually(async () => {
    const url = `${places.url(number + lost)}/functions/v1/vote`
    const said = await answered(() =>
      fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }),
    )
    if (!passing(said)) return said
    lost += 1
    return null
  }, PATIENCE)
  return { nickname, serverId, lost, status: answer.status, code: answer.body.code }
}

/** Voters one after the other, so many at once, until told to stop. */
function stream(places, servers) {
  const told = []
  let next = 0
  let isOver = false
  const voters = Array.from({ length: VOTERS_AT_ONCE }, async () => {
    while (!isOver) {
      next += 1
      // Half of them want the same server.
      told.push(await voted(places, next, next % 2 ? servers[0] : servers[next % servers.length]))
    }
  })
  return {
    told,
    async more(count) {
      const enough = told.length + count
      await eventually(() => told.length >= enough, PATIENCE)
    },
    async end() {
      isOver = true
      await Promise.all(voters)
    },
  }
}

const kill = (pid) => process.kill(Number(pid), 'SIGKILL')

const kills = {
  async 'the server with its database'(places) {
    const first = places.processes[0]
    kill(first.pid)
    await first.stop()
    // The embedded PostgreSQL goes with it, and leaves the folder when it has.
    await eventually(async () => {
      await places.startFirst().catch((error) => assert.match(String(error), /before it was ready/))
      return places.processes[0] !== first
    }, PATIENCE)
  },
  async 'the other server'(places) {
    const second = places.processes[1]
    kill(second.pid)
    await second.stop()
    await eventually(async () => {
      await places.startSecond().catch((error) => assert.match(String(error), /before it was ready/))
      return places.processes[1] !== second
    }, PATIENCE)
  },
  async 'the postmaster'(places) {
    const [major] = readdirSync(join(places.dataDir, 'data'))
    kill(readFileSync(join(places.dataDir, 'data', major, 'postmaster.pid'), 'utf8').split('\n')[0])
  },
  async 'a backend that decides votes'(places) {
    const deciding = () =>
      asOwner(places, "select pid from pg_stat_activity where query like '%cast_votes%' and pid <> pg_backend_pid() limit 1")
    const [{ pid }] = await eventually(async () => {
      const found = await deciding().catch(() => [])
      return found.length > 0 && found
    }, PATIENCE)
    kill(pid)
  },
}

/** What must be nothing: each name of a figure that is not what the votes say. */
const DIFFERENCES = `
  with cast_ones as (select * from public.votes where nickname ~ '^Chaos [0-9]+$'),
  of_server as (select server_id, count(*) as votes from cast_ones group by server_id)
  select 'twice' as what from cast_ones group by nickname having count(*) > 1
  union all
  select 'daily ' || v.server_id from of_server as v join before.daily as b using (server_id)
  where v.votes <> (select sum(votes) from public.server_daily_counts as c where c.server_id = v.server_id) - b.votes
  union all
  select 'standing ' || v.server_id from of_server as v join before.standings as b using (server_id)
  join public.server_standings as t using (server_id)
  where v.votes <> t.total_votes - b.total_votes
  union all
  select 'voters ' || period from public.voter_totals where nickname ~ '^Chaos [0-9]+$'
  group by period having sum(votes) <> (select count(*) from cast_ones)
  union all
  select 'challenges' from public.captcha_spent having count(*) <> (select count(*) from cast_ones)`

const KEPT = `
  create schema before;
  create table before.standings as select server_id, total_votes from public.server_standings;
  create table before.daily as
  select t.server_id, coalesce((select sum(votes) from public.server_daily_counts as c where c.server_id = t.server_id), 0) as votes
  from public.server_standings as t`

test('nothing acknowledged is lost or counted twice, whatever is killed', async (t) => {
  const places = site()
  t.after(async () => {
    for (const one of places.processes.reverse()) await one.stop()
    places.folder.remove()
  })
  await places.startFirst()
  await places.startSecond()
  await asOwner(places, KEPT)
  const listed = await asOwner(
    places,
    `select t.server_id from public.server_standings as t join public.games as g on g.id = t.game_id
     where t.is_listed and g.nickname_pattern is null order by t.server_id limit 20`,
  )
  const votes = stream(
    places,
    listed.map((row) => row.server_id),
  )
  try {
    await votes.more(BETWEEN)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [what, done] of Object.entries(kills)) {
        await done(places)
        await votes.more(BETWEEN)
        t.diagnostic(`${what} killed; ${votes.told.length} votes so far`)
      }
    }
  } finally {
    await votes.end()
  }
  const strange = votes.told.filter(({ status, code, lost }) => !(status === 200 || (lost > 0 && code === 'already_voted')))
  assert.deepEqual(strange, [], 'a vote whose answer was lost counts, or counts when it is asked again')
  const rows = await asOwner(places, "select nickname, server_id from public.votes where nickname ~ '^Chaos [0-9]+$'")
  const there = rows.map((row) => `${row.nickname} for ${row.server_id}`).sort()
  const acknowledged = votes.told.map((vote) => `${vote.nickname} for ${vote.serverId}`).sort()
  assert.deepEqual(there, acknowledged)
  assert.deepEqual(await asOwner(places, DIFFERENCES), [])
  t.diagnostic(`${there.length} votes, ${votes.told.filter(({ lost }) => lost > 0).length} of them asked for again`)
})
