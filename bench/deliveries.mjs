// Deliveries of votes to receivers on this machine: webhooks, and listeners of both Votifier protocols.
// BENCH_DELIVERIES is the number of queued deliveries in each round.
import { once } from 'node:events'
import { createServer } from 'node:http'

import { asOwner } from '../tests/support/database.mjs'
import { eventually, startServer } from '../tests/support/server.mjs'
import { startVotifier } from '../tests/support/votifier.mjs'
import { ROUNDS, median } from './load.mjs'
import { cpuOf, cpuSeconds, cpuSince, family } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const COUNT = Number(process.env.BENCH_DELIVERIES ?? 10_000)
/** As many receivers as a process delivers to at once; each has its own host, because a host gets at most two at once. */
const RECEIVERS = 32

/** A webhook receiver that accepts every delivery. */
async function startHook() {
  const server = createServer((request, answer) => {
    request.resume()
    request.on('end', () => answer.writeHead(204).end())
  }).listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address()
  return {
    port,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const host = (place) => `127.0.0.${place + 1}`

const KINDS = {
  webhook: {
    start: startHook,
    channel: 'webhook',
    receiver: (id, place, { port }) =>
      `insert into public.webhooks (server_id, url, secret, is_active)
       values ('${id}', 'http://${host(place)}:${port}/votes', 'a secret of the benchmark', true)`,
  },
  'Votifier 2': {
    start: () => startVotifier({ host: '0.0.0.0' }),
    channel: 'votifier',
    receiver: (id, place, { port, token }) =>
      `insert into public.votifier_configs (server_id, host, port, protocol, token, is_active)
       values ('${id}', '${host(place)}', ${port}, 'auto', '${token}', true)`,
  },
  'Votifier 1': {
    start: () => startVotifier({ host: '0.0.0.0', greeting: '1.9' }),
    channel: 'votifier',
    receiver: (id, place, { port, publicKey }) =>
      `insert into public.votifier_configs (server_id, host, port, protocol, public_key, is_active)
       values ('${id}', '${host(place)}', ${port}, 'auto', '${publicKey}', true)`,
  },
}

/** Queues deliveries as votes do, evenly over these servers, and notifies the server. */
const queue = (channel, ids, count) => `
  with told as (
    insert into public.deliveries (server_id, channel, event, payload)
    select s.id, '${channel}', 'vote.created', jsonb_build_object(
      'event', 'vote.created',
      'vote', jsonb_build_object('id', gen_random_uuid(), 'nickname', 'b' || n, 'voted_at', now()),
      'server', jsonb_build_object('id', s.id, 'slug', s.slug, 'name', s.name, 'total_votes', n, 'monthly_votes', n)
    )
    from generate_series(0, ${count - 1}) as n
    inner join public.servers as s on s.id = (array['${ids.join("','")}']::uuid[])[1 + n % ${ids.length}]
    returning server_id
  )
  insert into public.delivery_lanes (server_id, channel, due_at)
  select distinct server_id, '${channel}', now() from told
  on conflict (server_id, channel) do update set due_at = excluded.due_at;
  notify "public.delivery_lanes"`

async function round(server, channel, ids) {
  await asOwner(server, 'delete from public.deliveries; delete from public.delivery_lanes')
  const [before, ownCpu] = [cpuOf(family(server.pid)), cpuSeconds(server.pid)]
  await asOwner(server, queue(channel, ids, COUNT))
  const startedAt = performance.now()
  const left = async () =>
    (await asOwner(server, "select count(*)::int as waiting from public.deliveries where status = 'pending'"))[0].waiting
  await eventually(async () => (await left()) === 0, { within: 600_000 })
  const seconds = (performance.now() - startedAt) / 1000
  const [{ failed }] = await asOwner(
    server,
    "select count(*)::int as failed from public.deliveries where status <> 'delivered' or attempts <> 1",
  )
  if (failed > 0) throw new Error(`${failed} of ${COUNT} did not arrive at once`)
  const each = (used) => (used / COUNT) * 1e6
  return {
    rate: COUNT / seconds,
    own: each(cpuSeconds(server.pid) - ownCpu),
    database: each(cpuSince(server.pid, before, [server.pid])),
  }
}

export async function deliveries() {
  const server = await startServer({ args: ['--demo'], env: { OUTGOING_ALLOWED_HOSTS: '127.0.0.0/8', STATUS_RATE: '0' } })
  const rows = []
  try {
    const listed = await asOwner(
      server,
      `select server_id from public.server_standings where is_listed order by server_id limit ${RECEIVERS}`,
    )
    const all = listed.map((row) => row.server_id)
    for (const [name, { start, channel, receiver }] of Object.entries(KINDS)) {
      const receivers = await start()
      try {
        for (const ids of [all.slice(0, 1), all]) {
          await asOwner(
            server,
            ['delete from public.webhooks', 'delete from public.votifier_configs']
              .concat(ids.map((id, place) => receiver(id, place, receivers)))
              .join(';'),
          )
          const rounds = []
          for (let turn = 0; turn < ROUNDS; turn++) rounds.push(await round(server, channel, ids))
          const figures = ['rate', 'own', 'database'].map((figure) => median(rounds, figure).toFixed(0))
          rows.push(`| ${[name, ids.length, ...figures].join(' | ')} |`)
        }
      } finally {
        await receivers.stop()
      }
    }
  } finally {
    await server.stop()
  }
  return [
    '| told to | receivers | deliveries/s | server CPU µs | PostgreSQL CPU µs |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `Medians of ${ROUNDS} rounds of ${COUNT} deliveries that wait, each told once; CPU is per delivery. The receivers are one ` +
      'process of Node on the same machine, which is in the rate and not in the CPU.',
  ].join('\n')
}
