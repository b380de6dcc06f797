// Raw HTTP requests that no client library can send.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'

import { createClient } from '../../support/client.mjs'
import { build, settings, untilKnown } from '../../support/playground.mjs'
import { startServer } from '../../support/server.mjs'

let server

/** Sends a request without normalizing its path. */
function send(method, path, headers = {}) {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => (body += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

describe('rest/v1 alone, over the wire', () => {
  before(async () => {
    server = await startServer({ name: 'supabase-compat', args: ['--only', 'rest'], env: settings })
    await build(server)
    await untilKnown(createClient(server.url, server.keys.ANON_KEY, { db: { schema: 'playground' } }))
  })
  after(() => server?.stop())

  test('unencoded arrows and quotes in URLs are accepted', async () => {
    const read = await send('GET', '/players?select=town:profile->from->>town&profile->>age=eq.36')
    assert.deepEqual([read.status, JSON.parse(read.body)], [200, [{ town: 'London' }]])
    const quoted = await send('GET', '/players?select=id&name=in.("Ada","x,y")')
    assert.deepEqual([quoted.status, JSON.parse(quoted.body)], [200, [{ id: 1 }]])
  })

  test('other origins get PostgREST’s CORS headers', async () => {
    const origin = 'http://example.com'
    const preflight = await send('OPTIONS', '/players', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey, X-Mine',
    })
    assert.equal(preflight.status, 200)
    assert.equal(
      preflight.headers['access-control-allow-headers'],
      'Authorization, apikey, X-Mine, Accept, Accept-Language, Content-Language',
    )
    const read = await send('GET', '/teams', { origin })
    assert.equal(read.headers['access-control-allow-origin'], '*')
    assert.equal((await send('GET', '/teams')).headers['access-control-allow-origin'], undefined)
  })

  test('HEAD response has headers without Content-Length', async () => {
    const head = await send('HEAD', '/teams?select=id&order=id', { prefer: 'count=exact' })
    assert.deepEqual([head.status, head.headers['content-range'], head.body], [200, '0-2/3', ''])
    assert.equal(head.headers['content-length'], undefined)
    assert.equal(head.headers['content-type'], 'application/json; charset=utf-8')
  })
})

describe('rest/v1 alone, without a role for anonymous callers', () => {
  before(async () => {
    const env = { PGRST_SERVER_TRACE_HEADER: 'X-Request-Id', PGRST_DB_EXTRA_SEARCH_PATH: '' }
    server = await startServer({ name: 'supabase-compat', args: ['--only', 'rest'], env })
  })
  after(() => server?.stop())

  test('anonymous request is refused with its trace header', async () => {
    const refused = await send('GET', '/', { 'x-request-id': 'mine' })
    assert.deepEqual([refused.status, JSON.parse(refused.body).code], [401, 'PGRST302'])
    assert.equal(refused.headers['x-request-id'], 'mine')
    const known = await send('GET', '/', { authorization: `Bearer ${server.keys.ANON_KEY}` })
    assert.equal(known.status, 200)
    assert.match(known.headers['x-request-id'], /^[0-9a-f-]{36}$/)
  })
})
