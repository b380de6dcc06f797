// The vote API's checks, as plugins send them: whether somebody voted, by address and by name. For comparison, a handler
// that does nothing, and the statement alone by pgbench.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { solveCaptcha } from '../tests/support/captcha.mjs'
import { asOwner } from '../tests/support/database.mjs'
import { startBare } from './bare.mjs'
import { CONNECTIONS, pgbench } from './ceiling.mjs'
import { ROUNDS, SECONDS, median, wrk, wrkScript } from './load.mjs'
import { cpuOf, cpuSeconds, cpuSince, family } from './processes.mjs'

const CLIENTS = [8, 32]
const VOTER = { nickname: 'bChecked', address: '10.255.255.254' }
const NOBODY = '10.255.255.253'

/** Casts the vote that the checks find; returns its address hash and the server's token. */
async function cast(server, serverId) {
  const forwarded = { 'x-forwarded-for': VOTER.address }
  const captcha = await solveCaptcha(server.url, serverId, forwarded)
  const response = await fetch(`${server.url}/functions/v1/vote`, {
    method: 'POST',
    headers: { ...forwarded, 'content-type': 'application/json' },
    body: JSON.stringify({ serverId, nickname: VOTER.nickname, captcha }),
  })
  if (!response.ok) throw new Error(`a vote: ${response.status} ${await response.text()}`)
  const [{ ip_hash: hash }] = await asOwner(
    server,
    `select ip_hash from public.votes where nickname = '${VOTER.nickname}' order by voted_at desc limit 1`,
  )
  const [{ token }] = await asOwner(server, `select token from public.server_api_tokens where server_id = '${serverId}'`)
  return { hash, token }
}

function over(pid, url, script, clients) {
  const [before, ownCpu] = [cpuOf(family(pid)), cpuSeconds(pid)]
  const run = wrk(url, script, clients)
  const each = (seconds) => (seconds / (run.rate * SECONDS)) * 1e6
  return { ...run, own: each(cpuSeconds(pid) - ownCpu), database: each(cpuSince(pid, before, [pid])) }
}

/** The lines of the table. */
export async function checks(server, folder, serverId) {
  const { hash, token } = await cast(server, serverId)
  const questions = [
    ['by address, a vote', `/api/v1/servers/${token}/votes/${VOTER.address}`, `find_vote('${token}', '${hash}')`, 200],
    ['by address, none', `/api/v1/servers/${token}/votes/${NOBODY}`, `find_vote('${token}', md5('nobody'))`, 200],
    [
      'by name, a vote',
      `/v1/votes/check?server_token=${token}&playername=${VOTER.nickname}`,
      `find_vote_of('${token}', '${VOTER.nickname}')`,
      200,
    ],
  ]
  const script = wrkScript(folder, { headers: {} })
  const file = join(folder, 'question.sql')
  const rows = []
  for (const [name, path, statement, status] of questions) {
    const response = await fetch(server.url + path)
    const body = await response.text()
    if (response.status !== status) throw new Error(`${name}: ${response.status} ${body}`)
    writeFileSync(file, `select * from public.${statement};\n`)
    const handler = await startBare(body)
    try {
      for (const clients of CLIENTS) {
        const [checks, handlerRuns, query] = [[], [], []]
        for (let round = 0; round < ROUNDS; round++) {
          checks.push(over(server.pid, server.url + path, script, clients))
          handlerRuns.push(wrk(handler.url, script, clients))
          query.push({ rate: pgbench(server, file, {}, SECONDS, 'postgres') })
        }
        const cells = [
          name,
          clients,
          median(checks, 'rate').toFixed(0),
          median(checks, 'p50').toFixed(2),
          median(checks, 'p99').toFixed(2),
          median(checks, 'own').toFixed(0),
          median(checks, 'database').toFixed(0),
          median(handlerRuns, 'rate').toFixed(0),
          median(query, 'rate').toFixed(0),
        ]
        rows.push(`| ${cells.join(' | ')} |`)
      }
    } finally {
      await handler.stop()
    }
  }
  return [
    '| vote API: check | clients | answers/s | p50 ms | p99 ms | server CPU µs | PostgreSQL CPU µs | bare axum handler/s | bare query, tx/s |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `Medians of ${ROUNDS} alternating rounds of ${SECONDS} s; CPU is per answer. The handler answers with the same body and ` +
      `does nothing else; the query by pgbench over ${CONNECTIONS} connections, each transaction one statement.`,
  ]
}
