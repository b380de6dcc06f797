// A connection as the owner, over the embedded server's socket: how a developer would load a
// schema of their own.
import pg from 'pg'

/** A connection to the database in a server's data folder, as a login; whoever asks for it ends it. */
export async function connectedAsOwner(server, user = 'postgres') {
  const client = new pg.Client({ host: `${server.dataDir}/run`, user, database: 'postgres' })
  // A database that ends between two answers refuses the next question.
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
