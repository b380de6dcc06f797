// Votes over HTTP, each by a different voter with a challenge solved in advance, and for comparison the bare procedure
// by pgbench: all for one server, then for a hundred. Then the vote API's checks by plugins.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { solveCaptcha } from '../tests/support/captcha.mjs'
import { asOwner } from '../tests/support/database.mjs'
import { startServer } from '../tests/support/server.mjs'
import { pgbench } from './ceiling.mjs'
import { checks } from './checks.mjs'
import { ROUNDS, SECONDS, median, wrk } from './load.mjs'
import { cpuOf, cpuSeconds, cpuSince, family } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const CLIENTS = [16, 32]
/** Votes prepared per second; more than the server can accept. */
const VOTES_A_SECOND = Number(process.env.BENCH_VOTES_A_SECOND ?? 6000)
/** Challenges solved at once while a round is prepared. */
const SOLVED_AT_ONCE = 16

/** Challenges cost the voter no work and the server as much as usual; a proxy reports each voter's address. */
const ENVIRONMENT = {
  CAPTCHA_COST: '1',
  CAPTCHA_ROUNDS: '1-1',
  CAPTCHA_LIFETIME: '3600',
  TRUSTED_PROXIES: '127.0.0.1',
  VOTE_API_TOKEN_RATE_BURST: '4000000000',
}

/** Sets the vote limits, which are still checked, too high to be reached. */
const FAR_AWAY = `
  insert into public.site_settings (setting_key, setting_value)
  select unnest(array['vote_limit_address_hour', 'vote_limit_address_day', 'vote_limit_network_hour', 'vote_limit_server_minute']), '9999999'
  on conflict (setting_key) do update set setting_value = excluded.setting_value`

/** Starts a demonstration site whose vote limits are out of reach. */
export async function startedForVotes(env = {}) {
  const server = await startServer({ args: ['--demo'], env: { ...ENVIRONMENT, ...env } })
  await asOwner(server, FAR_AWAY)
  return server
}

let voters = 1000
/** A voter who has not voted yet. */
function voter() {
  voters += 1
  return { nickname: `b${voters}`, address: [10, voters >> 16, (voters >> 8) & 255, voters & 255].join('.') }
}

/** Lines for wrk, each with the address and the body of a vote. */
export async function prepared(server, servers, count) {
  const lines = []
  const solve = async () => {
    while (lines.length < count) {
      const { nickname, address } = voter()
      const serverId = servers[voters % servers.length]
      const place = lines.push('') - 1
      const captcha = await solveCaptcha(server.url, serverId, { 'x-forwarded-for': address })
      lines[place] = `${address} ${JSON.stringify({ serverId, nickname, captcha })}`
    }
  }
  await Promise.all(Array.from({ length: SOLVED_AT_ONCE }, solve))
  return lines
}

/** wrk's script: each request sends the next line; wrk stops after the last. */
export const lua = (file) => `
local lines = io.lines(${JSON.stringify(file)})
local headers = { ['content-type'] = 'application/json' }
local line = ''
function request()
  line = line and lines()
  if line == nil then
    wrk.thread:stop()
    return wrk.format('GET', '/health')
  end
  local address, body = line:match('^(%S+) (.*)$')
  headers['x-forwarded-for'] = address
  return wrk.format('POST', '/functions/v1/vote', headers, body)
end`

async function overHttp(server, folder, servers, clients) {
  const file = join(folder, 'votes.txt')
  const script = join(folder, 'votes.lua')
  writeFileSync(file, (await prepared(server, servers, SECONDS * VOTES_A_SECOND)).join('\n'))
  writeFileSync(script, lua(file))
  const counted = async () => (await asOwner(server, 'select count(*)::int as votes from public.votes'))[0].votes
  const [votes, before, ownCpu] = [await counted(), cpuOf(family(server.pid)), cpuSeconds(server.pid)]
  const run = wrk(server.url, script, clients)
  const done = (await counted()) - votes
  const each = (seconds) => (seconds / done) * 1e6
  return { ...run, own: each(cpuSeconds(server.pid) - ownCpu), database: each(cpuSince(server.pid, before, [server.pid])) }
}

/** Votes per second by the bare procedure, over `clients` connections. */
function bare(server, folder, servers, clients) {
  const file = join(folder, 'vote.sql')
  const choice = `(array['${servers.join("','")}']::uuid[])[1 + :n % ${servers.length}]`
  writeFileSync(
    file,
    `\\set n random(1, 2000000000)\nselect outcome from public.cast_vote(${choice}, md5(:n::text), null, 'p' || :n, now(), :n % 65536);\n`,
  )
  return { rate: pgbench(server, file, {}, SECONDS, 'postgres', clients) }
}

/** Throws unless every counter counts every vote once. */
async function checked(server) {
  const [counted] = await asOwner(
    server,
    `select
       (select count(*) from public.votes where nickname ~ '^[bp][0-9]+$') = sum(t.votes) as is_right
     from public.voter_totals as t where t.period = 'month' and t.nickname ~ '^[bp][0-9]+$'`,
  )
  if (!counted.is_right) throw new Error('votes and their counts differ')
}

export async function votes() {
  const server = await startedForVotes()
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const listed = await asOwner(
      server,
      `select t.server_id from public.server_standings as t join public.games as g on g.id = t.game_id
       where t.is_listed and ('b1234567' ~ ('^(?:' || g.nickname_pattern || ')$')) is not false
       order by t.server_id limit 100`,
    )
    const all = listed.map((row) => row.server_id)
    const rows = []
    for (const servers of [all.slice(0, 1), all]) {
      for (const clients of CLIENTS) {
        const [http, procedure] = [[], []]
        for (let round = 0; round < ROUNDS; round++) {
          http.push(await overHttp(server, folder, servers, clients))
          procedure.push(bare(server, folder, servers, clients))
        }
        const cells = [
          servers.length === 1 ? 'one server' : `${servers.length} servers`,
          clients,
          median(http, 'rate').toFixed(0),
          median(http, 'p50').toFixed(1),
          median(http, 'p99').toFixed(1),
          median(http, 'own').toFixed(0),
          median(http, 'database').toFixed(0),
          median(procedure, 'rate').toFixed(0),
        ]
        rows.push(`| ${cells.join(' | ')} |`)
      }
    }
    await checked(server)
    return [
      '| votes for | clients | accepted votes/s | p50 ms | p99 ms | server CPU µs | PostgreSQL CPU µs | procedure alone, votes/s |',
      '|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
      `Medians of ${ROUNDS} alternating rounds of ${SECONDS} s; CPU is per vote. The procedure by pgbench, a connection a client.`,
      '',
      ...(await checks(server, folder, all[0])),
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
