// A streaming replica made with pg_basebackup: reads go to the replica, writes to the primary.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { PostgrestClient } from '@supabase/postgrest-js'

import { asOwner } from '../../support/database.mjs'
import { build, settings, untilKnown } from '../../support/playground.mjs'
import { eventually, scratchFolder, startServer } from '../../support/server.mjs'

/** The folder of PostgreSQL's programs. */
function programs() {
  if (process.env.PG_BINDIR) return process.env.PG_BINDIR
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).map(Number).sort((a, b) => b - a) : []
  const found = versions.map((version) => `${root}/${version}/bin`).find((path) => existsSync(`${path}/pg_basebackup`))
  assert.ok(found, 'pg_basebackup is not installed')
  return found
}

/** The account to run PostgreSQL as, because it refuses to run as root. */
function account() {
  if (process.getuid() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

const escaped = (path) => encodeURIComponent(path)

describe('rest/v1 with a read-only copy of its database', () => {
  let primary
  let replica
  let reader
  let anon
  const scratch = scratchFolder()

  before(async () => {
    primary = await startServer({ name: 'supabase-compat', env: settings })
    await build(primary)
    await asOwner(
      primary,
      `create function playground.reads_copy() returns boolean language sql stable as 'select pg_is_in_recovery()';
       grant execute on function playground.reads_copy() to anon;`,
    )
    const data = join(scratch.path, 'copy')
    const owner = account()
    mkdirSync(data, { mode: 0o700 })
    if (owner.uid) chownSync(data, owner.uid, owner.gid)
    const from = ['-h', `${primary.dataDir}/run`, '-U', 'postgres', '-D', data, '-R', '-X', 'stream', '-c', 'fast']
    execFileSync(join(programs(), 'pg_basebackup'), from, { ...owner, stdio: 'pipe' })
    replica = spawn(
      join(programs(), 'postgres'),
      ['-D', data, '-k', data, '-c', 'listen_addresses=', '-c', 'port=5432', '-c', 'logging_collector=off'],
      { ...owner, stdio: 'ignore' },
    )
    await eventually(() => asOwnerOf(data, 'select 1').catch(() => null))
    const url = (folder, login) => `postgresql://${login}@${escaped(folder)}/postgres`
    const env = {
      ...settings,
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_URI: url(`${primary.dataDir}/run`, 'authenticator'),
      PGRST_DB_REPLICA_URI: url(data, 'authenticator'),
    }
    reader = await startServer({ name: 'supabase-compat', args: ['--only', 'rest'], env })
    anon = new PostgrestClient(reader.url, { schema: 'playground' })
    await untilKnown(anon)
  })

  after(async () => {
    await reader?.stop()
    if (replica) {
      const ended = new Promise((resolve) => replica.once('exit', resolve))
      replica.kill('SIGINT')
      await ended
    }
    await primary?.stop()
    scratch.remove()
  })

  async function asOwnerOf(folder, sql) {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ host: folder, user: 'postgres', database: 'postgres' })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  test('only GET and HEAD read the replica', async () => {
    assert.equal((await anon.rpc('reads_copy', {}, { get: true })).data, true)
    assert.equal((await anon.rpc('reads_copy')).data, false)
    const { status } = await anon.from('logs').insert({ line: 'through the primary' })
    assert.equal(status, 201)
    const seen = await eventually(async () => {
      const { data } = await anon.from('logs').select('line')
      return data?.length ? data : null
    })
    assert.deepEqual(seen, [{ line: 'through the primary' }])
    const { count } = await anon.from('logs').select('*', { count: 'exact', head: true })
    assert.equal(count, 1)
  })
})
