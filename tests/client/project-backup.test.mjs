// Vault secrets in backups and dumps: another server reads them only with the project's own key.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

import { asOwner, connectedAsOwner } from '../support/database.mjs'
import { binary, scratchFolder, startServer } from '../support/server.mjs'

const OPENED = "select decrypted_secret as secret from vault.decrypted_secrets where name = 'token'"

let first
let scratch

before(async () => {
  scratch = scratchFolder()
  first = await startServer({ name: 'supabase-compat' })
  await asOwner(first, "select vault.create_secret('open sesame', 'token')")
})
after(async () => {
  await first?.stop()
  scratch?.remove()
})

test('restored backup has readable vault secrets', async () => {
  const file = join(scratch.path, 'project.backup')
  const otherFolder = scratchFolder()
  const run = (...args) => promisify(execFile)(binary('supabase-compat'), args)
  await run('backup', file, '--data-dir', first.dataDir)
  await run('restore', file, '--data-dir', otherFolder.path)
  const second = await startServer({ name: 'supabase-compat', dataDir: otherFolder.path })
  try {
    assert.deepEqual(await asOwner(second, OPENED), [{ secret: 'open sesame' }])
  } finally {
    await second.stop()
    otherFolder.remove()
  }
})

test('vault rows sealed with another key are refused', async () => {
  // Started on an empty folder, so that its vault has a key of its own.
  const scratch = scratchFolder()
  const other = await startServer({ name: 'supabase-compat', dataDir: scratch.path })
  const client = await connectedAsOwner(other)
  try {
    const [row] = await asOwner(first, "select id, name, secret from vault.secrets where name = 'token'")
    assert.doesNotMatch(row.secret, /sesame/)
    const bring = () => client.query('insert into vault.secrets (id, name, secret) values ($1, $2, $3)', [row.id, row.name, row.secret])
    await assert.rejects(bring(), /sealed with another key/)
    // A dump inserts rows before its triggers exist, or without firing them.
    await client.query('set session_replication_role = replica')
    await bring()
    await assert.rejects(asOwner(other, OPENED), /cannot be opened: it was changed, or sealed with another key/)
    await asOwner(other, "select vault.create_secret('their own', 'own')")
    const secretRows = await asOwner(other, "select decrypted_secret as secret from vault.decrypted_secrets where name = 'own'")
    assert.deepEqual(secretRows, [{ secret: 'their own' }])
    await asOwner(other, "select vault.update_secret(id, 'made again') from vault.secrets where name = 'token'")
    assert.deepEqual(await asOwner(other, OPENED), [{ secret: 'made again' }])
  } finally {
    await client.end()
    await other.stop()
    scratch.remove()
  }
})
