// Projects of several kinds, started unchanged and used by the published client.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { asOwner } from '../support/database.mjs'
import { serve } from '../support/project.mjs'
import { eventually } from '../support/server.mjs'

describe('files that are shared: storage policies, a vault, calls and jobs', () => {
  let project
  let ada
  const file = new Blob(['hello'], { type: 'text/plain' })

  before(async () => {
    project = await serve('drive')
    ada = await project.account('ada')
  })
  after(() => project?.end())

  test('file is readable by others only while shared', async () => {
    const path = `${ada.id}/note.txt`
    assert.equal((await ada.client.storage.from('files').upload(path, file)).error, null)
    const read = (client) => client.storage.from('files').download(path)
    assert.notEqual((await read(project.anon())).error, null)
    const bob = await project.account('bob')
    assert.notEqual((await bob.client.storage.from('files').upload(`${ada.id}/other.txt`, file)).error, null)
    assert.notEqual((await bob.client.from('shares').insert({ path })).error, null, 'nobody shares what is not theirs')
    const { data: share, error } = await ada.client.from('shares').insert({ path }).select().single()
    assert.equal(error, null)
    assert.equal(await (await read(project.anon())).data.text(), 'hello')
    const ended = new Date(Date.now() - 1000).toISOString()
    await ada.client.from('shares').update({ expires_at: ended }).eq('token', share.token)
    assert.notEqual((await read(bob.client)).error, null)
    await eventually(async () => (await ada.client.from('shares').select()).data.length === 0)
  })

  test('share calls a function with a vault secret', async () => {
    const [delivery] = await eventually(async () => {
      const rows = await asOwner(project.server, "select content::jsonb as said from net._http_response where status_code = 200 and content like '{%isKnown%'")
      return rows.length && rows
    })
    assert.deepEqual(delivery.said, { type: 'INSERT', table: 'shares', path: `${ada.id}/note.txt`, isKnown: true })
    const hooks = await eventually(async () => {
      const rows = await asOwner(project.server, 'select hook_name, status_code from supabase_functions.hooks inner join net._http_response on _http_response.id = request_id')
      return rows.length && rows
    })
    assert.equal(hooks[0].hook_name, 'share ended')
  })

  test('secrets are encrypted, with the key outside', async () => {
    const rows = await asOwner(project.server, 'select name, secret from vault.secrets order by name')
    assert.deepEqual(rows.map((row) => row.name), ['hook_secret', 'project_url'])
    for (const { secret } of rows) assert.match(secret, /^v1\.[A-Za-z0-9+/=]+$/)
    const key = join(project.dataDir, 'vault/key')
    assert.equal(statSync(key).mode & 0o777, 0o600)
    assert.match(readFileSync(key, 'utf8'), /^[0-9a-f]{128}$/)
    for (const client of [project.anon(), ada.client]) {
      assert.notEqual((await client.schema('vault').from('decrypted_secrets').select()).error, null)
    }
  })
})

describe('organizations: claims of a hook, functions in a private schema', () => {
  let project

  before(async () => (project = await serve('desk')))
  after(() => project?.end())

  const claims = async (client) => {
    const { data } = await client.auth.refreshSession()
    return JSON.parse(Buffer.from(data.session.access_token.split('.')[1], 'base64url').toString())
  }

  test('tickets are limited to the token’s organization', async () => {
    const [ada, bob, eve] = [await project.account('ada'), await project.account('bob'), await project.account('eve')]
    assert.equal((await claims(ada.client)).org_id, undefined)
    const { data: desk, error } = await ada.client.rpc('found_organization', { name: 'Desk' })
    assert.equal(error, null)
    const { data: other } = await eve.client.rpc('found_organization', { name: 'Other' })
    const tokenClaims = await claims(ada.client)
    assert.deepEqual([tokenClaims.org_id, tokenClaims.org_role], [desk, 'owner'])
    assert.equal((await claims(eve.client)).org_id, other)
    assert.equal((await ada.client.rpc('invite', { email: bob.email })).error, null)
    assert.equal((await claims(bob.client)).org_role, 'agent')

    assert.equal((await bob.client.from('tickets').insert({ subject: 'Broken' })).error, null)
    assert.equal((await eve.client.from('tickets').insert({ subject: 'Theirs' })).error, null)
    const subjects = async (client) => (await client.from('tickets').select('subject, organizations(name)')).data
    assert.deepEqual(await subjects(ada.client), [{ subject: 'Broken', organizations: { name: 'Desk' } }])
    assert.deepEqual(await subjects(eve.client), [{ subject: 'Theirs', organizations: { name: 'Other' } }])
    assert.deepEqual(await subjects(project.anon()), [])

    const foreign = await eve.client.from('tickets').insert({ subject: 'x', organization: desk })
    assert.equal(foreign.error.code, '42501')
    assert.equal((await bob.client.rpc('invite', { email: eve.email })).error.code, '42501')
    assert.equal((await project.anon().rpc('found_organization', { name: 'x' })).error.code, '42501')
    assert.notEqual((await ada.client.rpc('custom_access_token', { event: {} })).error, null)

    await bob.client.from('tickets').delete().eq('subject', 'Broken')
    assert.equal((await subjects(ada.client)).length, 1, 'an agent deletes nothing')
    await ada.client.from('tickets').delete().eq('subject', 'Broken')
    assert.deepEqual(await subjects(ada.client), [])
    assert.equal((await subjects(eve.client)).length, 1)
  })
})
