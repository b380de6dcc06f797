// The statements of a request, sent by pgbench as one pipeline: the throughput of PostgreSQL
// without a server in front of it.
//
// The statements are read from PostgreSQL's own log, not written here again, so the comparison
// cannot drift. A begin and a commit stand around them: the transaction that PostgREST sends.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { asOwner } from '../tests/support/database.mjs'

/** Connections on either side: the server's pool, and pgbench's clients. */
export const CONNECTIONS = 10

/** A pgbench script of what `request` made the server send, and the values of its variables. */
export async function pipelineOf(server, request) {
  await asOwner(server, 'alter role authenticator set log_min_duration_statement = 0')
  // Open connections keep the old setting; only new connections log their statements.
  await endConnections(server)
  await request()
  await request()
  const folder = join(server.dataDir, 'log')
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
  await asOwner(server, 'alter role authenticator reset log_min_duration_statement')
  await endConnections(server)
  return script(executed(text))
}

const endConnections = (server) =>
  asOwner(server, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator'")

/** The last request's `execute <name>: <sql>` lines, with the parameters logged after them. */
export function executed(text) {
  const statements = []
  const entry = /execute [^:\n]*: ([\s\S]*?)\n(?=\S)(?:[^\n]*DETAIL: {2}[Pp]arameters: ([^\n]*))?/g
  for (const [, sql, parameters = ''] of text.matchAll(entry)) {
    const values = [...parameters.matchAll(/\$(\d+) = (NULL|'(?:[^']|'')*')/g)].map(([, , value]) =>
      value === 'NULL' ? null : value.slice(1, -1).replaceAll("''", "'"),
    )
    statements.push({ sql: sql.trim(), values })
  }
  const last = statements.findLastIndex(({ sql }) => sql.includes("set_config('search_path'"))
  const withoutValues = (sql) => ({ sql, values: [] })
  const begin = statements[last].sql.includes('transaction_read_only') ? 'begin read only' : 'begin'
  return [withoutValues(begin), ...statements.slice(last), withoutValues('commit')]
}

/** Replaces parameters by pgbench variables, so that no value has to be quoted. */
function script(statements) {
  const variables = {}
  const lines = statements.map(({ sql, values }, at) => {
    const bound = sql.replaceAll(/\s+/g, ' ').replaceAll(/\$(\d+)/g, (_, number) => {
      const name = `p${at}_${number}`
      variables[name] = values[Number(number) - 1] ?? ''
      return `:${name}`
    })
    return `${bound};`
  })
  return { text: ['\\startpipeline', ...lines, '\\endpipeline', ''].join('\n'), variables }
}

/** Transactions per second of a script file, sent by `clients` connections. */
export function pgbench(server, file, variables, seconds, role = 'authenticator', clients = CONNECTIONS) {
  const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const major = readdirSync('/usr/lib/postgresql').sort((a, b) => a - b).at(-1)
  const output = execFileSync(
    `/usr/lib/postgresql/${major}/bin/pgbench`,
    ['-n', '-M', 'prepared', '-c', clients, '-j', 1, '-T', seconds, '-f', file, ...defined,
      '-h', join(server.dataDir, 'run'), '-U', role, 'postgres'].map(String),
    { encoding: 'utf8' },
  )
  return Number(output.match(/tps = ([\d.]+)/)[1])
}
