// A server's widgets, as other sites embed them: the page and the picture.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { asOwner } from '../tests/support/database.mjs'
import { startServer } from '../tests/support/server.mjs'
import { ROUNDS, SECONDS, median, wrk, wrkScript } from './load.mjs'
import { cpuOf, cpuSince, family } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const CLIENTS = [1, 8, 32]

export async function widgets() {
  const server = await startServer({ args: ['--demo'], env: { STATUS_RATE: '0' } })
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const [{ server_id: id }] = await asOwner(
      server,
      'select server_id from public.server_standings where is_listed order by monthly_votes desc, server_id limit 1',
    )
    const script = wrkScript(folder, { headers: {} })
    const rows = []
    for (const [name, path] of [['page', `/widget/${id}`], ['picture (SVG)', `/widget/${id}.svg`]]) {
      const answer = await fetch(server.url + path)
      const bytes = (await answer.arrayBuffer()).byteLength
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      for (const clients of CLIENTS) {
        const rounds = []
        for (let round = 0; round < ROUNDS; round++) {
          const before = cpuOf(family(server.pid))
          const run = wrk(server.url + path, script, clients)
          rounds.push({ ...run, cpu: (cpuSince(server.pid, before) / (run.rate * SECONDS)) * 1e6 })
        }
        const cells = [
          name,
          bytes,
          clients,
          median(rounds, 'rate').toFixed(0),
          median(rounds, 'p50').toFixed(2),
          median(rounds, 'p99').toFixed(2),
          median(rounds, 'cpu').toFixed(0),
        ]
        rows.push(`| ${cells.join(' | ')} |`)
      }
    }
    return [
      '| widget | bytes | clients | answers/s | p50 ms | p99 ms | CPU µs, PostgreSQL included |',
      '|---|---|---|---|---|---|---|',
      ...rows,
      '',
      `Medians of ${ROUNDS} rounds of ${SECONDS} s; CPU is per answer. One server's, so that its figures are read every ten seconds.`,
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
