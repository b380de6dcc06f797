// Kills under a stream of votes, in two processes over one database: each acknowledged vote exists once, every counter
// matches the votes, and each vote reached the webhook of its server. `just test` makes one kill of each kind, `just chaos`
// CHAOS_ROUNDS rounds.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { solveCaptcha } from '../support/captcha.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, scratchFolder, startAfterKill, startServer } from '../support/server.mjs'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 1)
const VOTERS_AT_ONCE = 12
/** Votes acknowledged between two kills. */
const BETWEEN = 40
const PATIENCE = { within: 60_000 }

/** Challenges cost voters no work, and a proxy reports their addresses. */
const ENVIRONMENT = {
  CAPTCHA_COST: '1',
  CAPTCHA_ROUNDS: '1-1',
  TRUSTED_PROXIES: '127.0.0.1',
  OUTGOING_ALLOWED_HOSTS: '127.0.0.1',
}

/** A data folder with the embedded PostgreSQL, and a second one for a process that connects to that database. */
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
    /** Address of one of the processes, chosen by the number of the vote. */
    url(number) {
      return this.processes[number % 2].url
    },
  }
}

/** The answer to a request; undefined if none arrived. */
async function answered(ask) {
  try {
    const answer = await ask()
    return { status: answer.status, body: await answer.json() }
  } catch {
    return undefined
  }
}

const passing = (answer) => answer === undefined || answer.status >= 500

/** Sends one vote, unchanged, until a server decides it; returns the final answer. */
async function voted(places, number, serverId) {
  const nickname = `Chaos ${number}`
  const headers = { 'x-forwarded-for': `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` }
  const captcha = await eventually(() => solveCaptcha(places.url(number), serverId, headers).catch(() => null), PATIENCE)
  const body = JSON.stringify({ serverId, nickname, captcha })
  let lost = 0
  const answer = await eventually(async () => {
    const url = `${places.url(number + lost)}/functions/v1/vote`
    const response = await answered(() =>
      fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }),
    )
    if (!passing(response)) return response
    lost += 1
    return null
  }, PATIENCE)
  return { nickname, serverId, lost, status: answer.status, code: answer.body.code }
}

/** A stream of voters, `VOTERS_AT_ONCE` at a time, until it is stopped. */
function stream(places, servers) {
  const results = []
  let next = 0
  let isOver = false
  const voters = Array.from({ length: VOTERS_AT_ONCE }, async () => {
    while (!isOver) {
      next += 1
      // Half of them want the same server.
      results.push(await voted(places, next, next % 2 ? servers[0] : servers[next % servers.length]))
    }
  })
  return {
    results,
    async more(count) {
      const enough = results.length + count
      await eventually(() => results.length >= enough, PATIENCE)
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
    await places.processes[0].kill()
    await startAfterKill(() => places.startFirst())
  },
  async 'the other server'(places) {
    await places.processes[1].kill()
    await startAfterKill(() => places.startSecond())
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

/** Names of the counters that differ from the votes; must be empty. */
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

/** A webhook receiver: by vote, the webhook ids under which it was delivered. */
async function listener() {
  const receivedVotes = new Map()
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { vote } = JSON.parse(body)
    receivedVotes.set(vote.id, (receivedVotes.get(vote.id) ?? new Set()).add(request.headers['webhook-id']))
    answer.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { receivedVotes, url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() }
}

/** Waits until each vote for a server with a webhook was delivered, always under the same id. */
async function untilAllDelivered(places, receivedVotes) {
  const due = await asOwner(
    places,
    `select v.id from public.votes as v join public.webhooks as w using (server_id)
     where v.nickname ~ '^Chaos [0-9]+$' and w.secret = 'a secret of chaos'`,
  )
  assert.ok(due.length > BETWEEN / 2, `only ${due.length} votes were due for delivery`)
  await eventually(() => due.every(({ id }) => receivedVotes.has(id)), { within: 180_000 })
  assert.deepEqual([...receivedVotes].filter(([, ids]) => ids.size !== 1), [])
  await eventually(
    async () => (await asOwner(places, "select from public.deliveries where channel = 'webhook' and status <> 'delivered'")).length === 0,
    { within: 180_000 },
  )
}

test('acknowledged votes count once despite killed processes', async (t) => {
  const places = site()
  t.after(async () => {
    for (const one of places.processes.reverse()) await one.stop()
    places.folder.remove()
  })
  await places.startFirst()
  await places.startSecond()
  await asOwner(places, KEPT)
  // All voters come from a few networks.
  await asOwner(places, "update public.site_settings set setting_value = '0' where setting_key like 'vote_limit_%'")
  const listed = await asOwner(
    places,
    `select t.server_id from public.server_standings as t join public.games as g on g.id = t.game_id
     where t.is_listed and g.nickname_pattern is null order by t.server_id limit 20`,
  )
  const deliveries = await listener()
  t.after(() => deliveries.stop())
  await asOwner(
    places,
    `insert into public.webhooks (server_id, url, secret)
     select server_id, '${deliveries.url}', 'a secret of chaos' from unnest('{${listed.slice(0, 5).map((row) => row.server_id)}}'::uuid[]) as t (server_id)
     on conflict (server_id) do update set url = excluded.url, is_active = true`,
  )
  const votes = stream(
    places,
    listed.map((row) => row.server_id),
  )
  try {
    await votes.more(BETWEEN)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [killName, done] of Object.entries(kills)) {
        await done(places)
        await votes.more(BETWEEN)
        t.diagnostic(`${killName} killed; ${votes.results.length} votes so far`)
      }
    }
  } finally {
    await votes.end()
  }
  const strange = votes.results.filter(({ status, code, lost }) => !(status === 200 || (lost > 0 && code === 'already_voted')))
  assert.deepEqual(strange, [], 'a vote whose answer was lost counts, or counts when it is asked again')
  const rows = await asOwner(places, "select nickname, server_id from public.votes where nickname ~ '^Chaos [0-9]+$'")
  const there = rows.map((row) => `${row.nickname} for ${row.server_id}`).sort()
  const acknowledged = votes.results.map((vote) => `${vote.nickname} for ${vote.serverId}`).sort()
  assert.deepEqual(there, acknowledged)
  assert.deepEqual(await asOwner(places, DIFFERENCES), [])
  await untilAllDelivered(places, deliveries.receivedVotes)
  t.diagnostic(`${there.length} votes, ${votes.results.filter(({ lost }) => lost > 0).length} of them asked for again`)
})
