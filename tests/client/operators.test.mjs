// The operator's port, from outside.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { asOwner } from '../support/database.mjs'
import { eventually, freePort, startServer } from '../support/server.mjs'

let server
let admin

before(async () => {
  const port = await freePort()
  server = await startServer({ name: 'supabase-compat', args: ['--admin-port', String(port)] })
  admin = `http://127.0.0.1:${port}`
})
after(() => server?.stop())

const status = async (path) => (await fetch(admin + path)).status

describe('a program whose output nobody reads', () => {
  test('continues to serve, and ends on SIGTERM', async () => {
    const debugServer = await startServer({ name: 'supabase-compat', env: { LOG_LEVEL: 'debug' } })
    debugServer.deafen()
    const health = await fetch(`${debugServer.url}/auth/v1/health`)
    assert.equal(health.status, 200)
    assert.equal(await debugServer.ends(), 0)
    await debugServer.stop()
  })
})

describe('the operator’s port', () => {
  test('reports that the process lives and serves', async () => {
    assert.deepEqual([await status('/live'), await status('/ready')], [200, 200])
  })

  test('counts requests', async () => {
    await fetch(`${server.url}/auth/v1/health`)
    const text = await (await fetch(`${admin}/metrics`)).text()
    assert.match(text, /http_requests_total\{service="auth",status="200"\} [1-9]/)
    assert.match(text, /pgrst_db_pool_max 10/)
  })

  test('readiness follows the database’s availability', async () => {
    await asOwner(server, 'alter role authenticator nologin')
    await asOwner(server, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator'")
    await eventually(async () => (await status('/ready')) === 503)
    assert.equal(await status('/live'), 200)
    const answer = await fetch(`${server.url}/rest/v1/nothing`, { headers: { apikey: server.keys.ANON_KEY } })
    assert.ok([404, 503].includes(answer.status), String(answer.status))
    await asOwner(server, 'alter role authenticator login')
    await eventually(async () => (await status('/ready')) === 200)
  })
})
