// A connection as the owner, over the embedded server's socket: how a developer would load a
// schema of their own.
import pg from 'pg'

/** Runs SQL as the owner of the database in a server's data folder. */
export async function asOwner(server, sql) {
  const client = new pg.Client({ host: `${server.dataDir}/run`, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
