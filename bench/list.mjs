// The ranked list over HTTP, next to the very same transaction sent as one pipeline by pgbench.
//
// What the server sends is read from PostgreSQL's own log, not written here again: the comparison
// cannot drift. Both sides alternate; medians are told.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { asOwner } from '../tests/support/database.mjs'
import { startServer } from '../tests/support/server.mjs'
import { cpuOf, cpuSince, cpuSeconds, family, proportionalMiB, residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const ROUNDS = 3
const CONNECTIONS = 10
const LIST =
  '/rest/v1/servers_public?select=id,slug,name,description,tags,logo_image_url,monthly_votes,online_players,max_players,is_online,is_prestige,games(name,slug,logo_url,is_steam)' +
  '&order=is_prestige.desc,promoted_order.asc.nullslast,monthly_votes.desc,id.asc&limit=25'

/** The statements of one request, with their parameters, as PostgreSQL logged them. */
async function logged(server, request) {
  await asOwner(server, 'alter role authenticator set log_min_duration_statement = 0')
  // Connections that are open keep their old setting; new ones log.
  await asOwner(server, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator'")
  await request()
  await request()
  const folder = join(server.dataDir, 'log')
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).join('')
  await asOwner(server, 'alter role authenticator reset log_min_duration_statement')
  await asOwner(server, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator'")
  return executed(text)
}

/** `execute <name>: <sql>` lines and the parameters told behind them. */
export function executed(text) {
  const statements = []
  const entry = /execute [^:\n]*: ([\s\S]*?)\n(?=\S)(?:[^\n]*DETAIL: {2}[Pp]arameters: ([^\n]*))?/g
  for (const [, sql, parameters = ''] of text.matchAll(entry)) {
    const values = [...parameters.matchAll(/\$(\d+) = (NULL|'(?:[^']|'')*')/g)].map(([, , value]) =>
      value === 'NULL' ? null : value.slice(1, -1).replaceAll("''", "'"),
    )
    statements.push({ sql: sql.trim(), values })
  }
  const last = statements.findLastIndex(({ sql }) => /^begin/i.test(sql))
  return statements.slice(last)
}

/** A pgbench script of one pipeline; parameters become variables, so that nothing is quoted. */
function script(statements) {
  const variables = {}
  const lines = statements.map(({ sql, values }, at) => {
    const flat = sql.replaceAll(/\s+/g, ' ').replaceAll(/(?<!:):(?=[A-Za-z_])/g, ':')
    const bound = flat.replaceAll(/\$(\d+)/g, (_, number) => {
      const name = `p${at}_${number}`
      variables[name] = values[Number(number) - 1] ?? ''
      return `:${name}`
    })
    return `${bound};`
  })
  return { text: ['\\startpipeline', ...lines, '\\endpipeline', ''].join('\n'), variables }
}

function pgbench(server, file, variables) {
  const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const bin = readdirSync('/usr/lib/postgresql').sort().at(-1)
  const output = execFileSync(
    `/usr/lib/postgresql/${bin}/bin/pgbench`,
    ['-n', '-M', 'prepared', '-c', CONNECTIONS, '-j', 1, '-T', SECONDS, '-f', file, ...defined,
      '-h', join(server.dataDir, 'run'), '-U', 'authenticator', 'postgres'].map(String),
    { encoding: 'utf8' },
  )
  return Number(output.match(/tps = ([\d.]+)/)[1])
}

function wrk(server, connections) {
  const output = execFileSync(
    'wrk',
    ['-t1', `-c${connections}`, `-d${SECONDS}s`, '--latency', '-H', `apikey: ${server.keys.ANON_KEY}`, server.url + LIST],
    { encoding: 'utf8' },
  )
  if (/Non-2xx/.test(output)) throw new Error(output)
  const milliseconds = (share) => {
    const [, value, unit] = output.match(new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`))
    return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit]
  }
  return {
    rate: Number(output.match(/Requests\/sec:\s+([\d.]+)/)[1]),
    p50: milliseconds(50),
    p99: milliseconds(99),
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

export async function list() {
  const server = await startServer({ args: ['--demo'] })
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const request = () => fetch(server.url + LIST, { headers: { apikey: server.keys.ANON_KEY } }).then((r) => r.text())
    const { text, variables } = script(await logged(server, request))
    const file = join(folder, 'list.sql')
    writeFileSync(file, text)
    const rows = []
    for (const clients of [1, 8, 32]) {
      const http = []
      const pipe = []
      for (let round = 0; round < ROUNDS; round++) {
        const before = cpuOf(family(server.pid))
        const own = cpuSeconds(server.pid)
        const run = wrk(server, clients)
        const count = run.rate * SECONDS
        const cpu = cpuSeconds(server.pid) - own
        const database = cpuSince(server.pid, before, [server.pid])
        http.push({ ...run, cpu: (cpu / count) * 1e6, database: (database / count) * 1e6, memory: residentMiB(server.pid) })
        const beforePipe = cpuOf(family(server.pid))
        const rate = pgbench(server, file, variables)
        pipe.push({ rate, database: (cpuSince(server.pid, beforePipe, [server.pid]) / (rate * SECONDS)) * 1e6 })
      }
      const of = (rows, name) => median(rows.map((row) => row[name]))
      rows.push(
        `| ${clients} | ${of(http, 'rate').toFixed(0)} | ${of(http, 'p50').toFixed(2)} | ${of(http, 'p99').toFixed(2)} | ` +
          `${of(http, 'cpu').toFixed(0)} | ${of(http, 'database').toFixed(0)} | ${of(http, 'memory').toFixed(0)} | ` +
          `${of(pipe, 'rate').toFixed(0)} | ${of(pipe, 'database').toFixed(0)} | ${(of(http, 'rate') / of(pipe, 'rate')).toFixed(2)} |`,
      )
    }
    const database = proportionalMiB(family(server.pid).filter((pid) => pid !== server.pid))
    return [
      '| clients | requests/s | p50 ms | p99 ms | server CPU µs/request | PostgreSQL CPU µs/request | server RSS MiB | pipeline by pgbench tx/s | PostgreSQL CPU µs/tx | ratio |',
      '|---|---|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
      `After the load PostgreSQL holds ${database.toFixed(0)} MiB (PSS); pgbench used ${CONNECTIONS} connections, as the server's pool does. Medians of ${ROUNDS} alternating rounds of ${SECONDS} s.`,
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
