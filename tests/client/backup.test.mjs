// Backups: a running site is written into one file, and restored from it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { binary, scratchFolder, startServer } from '../support/server.mjs'

const TABLES = ['games', 'servers', 'votes', 'profiles', 'reviews', 'site_settings', 'voter_totals']

let site
let savedFile
let scratch

/** Runs a command of the binary; a failure rejects with its standard error. */
const run = (command, file, dataDir, env = {}) =>
  promisify(execFile)(binary('palmares'), [command, file, '--data-dir', dataDir], { env: { ...process.env, ...env } })

/** All rows of the compared tables, read with the service key. */
async function contents({ url, keys }) {
  const service = createClient(url, keys.SERVICE_ROLE_KEY)
  const tables = {}
  for (const table of TABLES) {
    const { count, error } = await service.from(table).select('*', { count: 'exact', head: true })
    assert.equal(error, null, table)
    const { data } = await service.from(table).select('*').limit(1000)
    tables[table] = { count, rows: data.map((row) => JSON.stringify(row)).sort() }
  }
  return tables
}

/** Object names that a file system stores in different ways. */
const NAMES = ['a/b.txt', `${'long/'.repeat(30)}${'x'.repeat(120)}`, 'a/b.txt/c']

/** What these objects hold. */
async function objects({ url, keys }) {
  const bucket = createClient(url, keys.SERVICE_ROLE_KEY).storage.from('kept')
  const texts = []
  for (const name of NAMES) {
    const { data, error } = await bucket.download(name)
    assert.equal(error, null, name)
    texts.push(await data.text())
  }
  return texts
}

before(async () => {
  scratch = scratchFolder()
  savedFile = join(scratch.path, 'site.backup')
  site = await startServer({ args: ['--demo'] })
  const { storage } = createClient(site.url, site.keys.SERVICE_ROLE_KEY)
  assert.equal((await storage.createBucket('kept')).error, null)
  for (const name of NAMES) assert.equal((await storage.from('kept').upload(name, `of ${name}`)).error, null)
})
after(async () => {
  await site?.stop()
  scratch?.remove()
})

test('backup of a running site is owner-readable only', async () => {
  await run('backup', savedFile, site.dataDir)
  assert.equal(statSync(savedFile).mode & 0o777, 0o600)
  assert.equal(existsSync(`${savedFile}.partial`), false)
  await assert.rejects(run('backup', savedFile, site.dataDir), /exists already; nothing was changed/)
})

test('restore recreates rows, objects, passwords and keys', async () => {
  const folder = scratchFolder()
  let restored
  try {
    await run('restore', savedFile, folder.path)
    assert.deepEqual(readFileSync(join(folder.path, 'keys.json')), readFileSync(join(site.dataDir, 'keys.json')))
    assert.equal(statSync(join(folder.path, 'keys.json')).mode & 0o777, 0o600)
    restored = await startServer({ dataDir: folder.path })
    assert.deepEqual(restored.keys, site.keys)
    assert.deepEqual(await contents(restored), await contents(site))
    assert.deepEqual(await objects(restored), await objects(site))
    const person = createClient(restored.url, restored.keys.ANON_KEY)
    const { error } = await person.auth.signInWithPassword({ email: 'player@palmares.test', password: 'palmares-demo' })
    assert.equal(error, null)
    await assert.rejects(run('restore', savedFile, folder.path), /keys\.json exists already; nothing was changed/)
  } finally {
    await restored?.stop()
    folder.remove()
  }
})

test('an invalid or truncated backup changes nothing', async () => {
  const folder = scratchFolder()
  try {
    const broken = join(scratch.path, 'broken')
    writeFileSync(broken, 'not a backup')
    await assert.rejects(run('restore', broken, folder.path), /is not a backup that this version reads/)
    copyFileSync(savedFile, broken)
    writeFileSync(broken, readFileSync(savedFile).subarray(0, statSync(savedFile).size / 2))
    await assert.rejects(run('restore', broken, folder.path))
    assert.equal(existsSync(join(folder.path, 'keys.json')), false)
    // The folder is still usable for a restore.
    await run('restore', savedFile, folder.path)
    assert.equal(existsSync(join(folder.path, 'keys.json')), true)
  } finally {
    folder.remove()
  }
})

/** The last migration of the versions before the baseline. */
const [REPLACED] = readFileSync(new URL('../../sql/migrations/replaces.txt', import.meta.url), 'utf8').match(/^\d+$/m)

/** Replaces the recorded migrations of a site in a folder by these versions, as an earlier release left them. */
async function remember(folder, versions) {
  const server = await startServer({ dataDir: folder })
  const rows = versions.map((version) => `(${version}, 'before', true, '', 0)`).join(', ')
  await asOwner(
    server,
    `delete from public.compat_migrations;
     insert into public.compat_migrations (version, description, success, checksum, execution_time) values ${rows}`,
  )
  await server.stop()
}

test('earlier version’s backup is restored, its folder refused', async () => {
  const [earlier, folder] = [scratchFolder(), scratchFolder()]
  const exported = join(scratch.path, 'earlier.backup')
  let restored
  try {
    await run('restore', savedFile, earlier.path)
    await remember(earlier.path, ['202611210900', REPLACED])
    const refusal = /public: an earlier version of this program made the database: export it with `backup` of that version and bring it into an empty data folder with `restore` of this one; nothing was changed/
    await assert.rejects(promisify(execFile)(binary('palmares'), ['migrate', '--data-dir', earlier.path]), refusal)
    await run('backup', exported, earlier.path)
    await run('restore', exported, folder.path)
    restored = await startServer({ dataDir: folder.path })
    assert.deepEqual(await contents(restored), await contents(site))
    const [{ left }] = await asOwner(restored, 'select count(*)::int as left from public.compat_migrations where version <= 202611210900')
    assert.equal(left, 0)
  } finally {
    await restored?.stop()
    for (const one of [earlier, folder]) one.remove()
  }
})

test('backup with missing migrations is refused before restore', async () => {
  const [earlier, folder] = [scratchFolder(), scratchFolder()]
  const exported = join(scratch.path, 'unfinished.backup')
  try {
    await run('restore', savedFile, earlier.path)
    await remember(earlier.path, ['202611210900'])
    await run('backup', exported, earlier.path)
    const refusal = new RegExp(`its newest migration is 202611210900, and only ${REPLACED} can be continued`)
    await assert.rejects(run('restore', exported, folder.path), refusal)
    assert.equal(existsSync(join(folder.path, 'keys.json')), false)
    await run('restore', savedFile, folder.path)
  } finally {
    for (const one of [earlier, folder]) one.remove()
  }
})
