// Connections as the database's owner over the embedded server's socket, as a developer would use to
// load a schema.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'

/** A connection to the database in a server's data folder, as a login; the caller ends it. */
export async function connectedAsOwner(server, user = 'postgres') {
  const client = new pg.Client({ host: `${server.dataDir}/run`, user, database: 'postgres' })
  // When the database ends between two queries, the next query reports the error.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Runs SQL as the owner of the database in a server's data folder. */
export async function asOwner(server, sql) {
  const client = await connectedAsOwner(server)
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** The programs of the PostgreSQL that a data folder is served by: the machine's, else the one in the folder. */
function programsOf(dataDir, major) {
  const system = `/usr/lib/postgresql/${major}/bin`
  if (existsSync(system)) return system
  const installed = join(dataDir, 'postgres')
  return join(installed, readdirSync(installed).find((name) => name.startsWith(`${major}.`)), 'bin')
}

/** Runs SQL in a data folder under PostgreSQL alone, without our server: migrates nothing. */
export async function asOwnerOfStopped(dataDir, sql) {
  const [major] = readdirSync(join(dataDir, 'data')).filter((name) => /^\d+$/.test(name))
  const data = join(dataDir, 'data', major)
  const options = `-c listen_addresses='' -c unix_socket_directories='${join(dataDir, 'run')}' -c wal_level=logical -c max_replication_slots=10`
  const control = (...args) => {
    const command = [join(programsOf(dataDir, major), 'pg_ctl'), '-D', data, '-s', '-w', ...args]
    // PostgreSQL refuses to run as root.
    const [program, ...rest] = process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command
    execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  control('start', '-o', options)
  try {
    return await asOwner({ dataDir }, sql)
  } finally {
    control('stop', '-m', 'fast')
  }
}
