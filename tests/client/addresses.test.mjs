// Where the links in mails lead when no address is configured.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../support/server.mjs'

test('mail link and redirect use the actual port', async () => {
  const server = await startServer({ name: 'supabase-compat' })
  try {
    const signUp = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: server.keys.ANON_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse' }),
    })
    assert.equal(signUp.status, 200, server.log())
    const mails = await (await fetch(`${server.url}/mailbox`, { headers: { accept: 'application/json' } })).json()
    const link = new URL(/http\S+\/verify\S+/.exec(mails[0].text)[0])
    assert.deepEqual([link.origin, link.searchParams.get('redirect_to')], [server.url, server.url])
  } finally {
    await server.stop()
  }
})
