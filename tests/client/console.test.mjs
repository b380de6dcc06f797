// The console of both programs over HTTP: the printed link, what operators may do, and who is refused.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { runCommand } from '../support/command.mjs'
import { firstLink, openConsole } from '../support/console.mjs'
import { DENO } from '../support/deno.mjs'
import { PROJECTS } from '../support/project.mjs'
import { freePort, scratchFolder, startServer } from '../support/server.mjs'

/** Status of a request with this host name. */
const statusAs = (url, host) =>
  new Promise((resolve, reject) => {
    const outgoing = request(new URL('/console/api/session', url), { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

describe('the console of a project', () => {
  let scratch
  let server
  let ask
  let dir

  before(async () => {
    scratch = scratchFolder()
    dir = join(scratch.path, 'shop')
    cpSync(join(PROJECTS, 'shop'), dir, { recursive: true })
    const dataDir = join(scratch.path, 'data')
    mkdirSync(dataDir, { mode: 0o755 })
    server = await startServer({ name: 'supabase-compat', command: 'up', args: [dir], dataDir, env: { DENO_PATH: DENO } })
    ask = await openConsole(firstLink(server))
  })
  after(async () => {
    await server?.stop()
    scratch?.remove()
  })

  test('printed link works once', async () => {
    const link = firstLink(server)
    const response = await fetch(new URL(`/console/api/setup${link.search}`, link))
    assert.equal(response.status, 410)
    assert.equal((await response.json()).error.code, 'link_expired')
  })

  test('tables are read as postgres-meta gives them', async () => {
    const response = await ask('GET', '/services/pg/tables?included_schemas=public')
    assert.equal(response.status, 200)
    const tables = await response.json()
    assert.ok(tables.length > 0)
    const text = JSON.stringify([tables, await (await ask('GET', '/session')).json()])
    assert.ok(!text.includes(server.keys.SERVICE_ROLE_KEY) && !text.includes(server.keys.SUPABASE_SECRET_KEY))
  })

  test('SQL cannot change the console’s operators', async () => {
    const made = await ask('POST', '/query', { query: 'create table public.notes (id int primary key); drop table public.notes' })
    assert.equal(made.status, 200, await made.clone().text())
    const superuser = await ask('POST', '/query', { query: "select rolsuper from pg_roles where rolname = session_user" })
    assert.deepEqual((await superuser.json()).rows, [[false]])
    const written = await ask('POST', '/query', { query: "update _console.operators set role = 'owner'" })
    assert.equal((await written.json()).error.sqlstate, '42501')
    const hashes = await ask('POST', '/query', { query: 'select password_hash from _console.operators' })
    const text = await hashes.text()
    assert.ok(!Buffer.from(text.replace(/[^0-9a-f]/g, ''), 'hex').includes('argon2'), text)
  })

  test('read-only operator’s writing statements are refused', async () => {
    const invitation = await (await ask('POST', '/operators/invitations', { role: 'read_only' })).json()
    const read = await openConsole(new URL(invitation.url), 'cy@example.test')
    const login = await read('POST', '/query', { query: 'select session_user::text' })
    assert.deepEqual((await login.json()).rows, [['supabase_read_only_user']])
    const refused = await read('POST', '/query', { query: 'create table public.notes (id int)' })
    assert.equal(refused.status, 400)
    assert.equal((await read('POST', '/services/pg/query', { query: 'select 1' })).status, 403)
  })

  test('snippets lie in the folder of the project', async () => {
    assert.equal((await ask('PUT', '/snippets/report', { query: 'select 1' })).status, 204)
    assert.ok(existsSync(join(dir, 'supabase/snippets/report.sql')))
    assert.equal((await ask('PUT', '/snippets/..%2Fconfig', { query: 'x' })).status, 422)
  })

  test('overview shows services and requests', async () => {
    const overview = await (await ask('GET', '/overview')).json()
    assert.ok(overview.services.every((service) => service.status === 'up'), JSON.stringify(overview.services))
    assert.ok(overview.requests.some((minute) => minute.requests > 0))
  })

  test('read-only statements are not in the audit log', async () => {
    await ask('POST', '/query', { query: 'select 41 + 1 as read_only', read_only: true })
    await ask('POST', '/query', { query: 'select 41 + 1 as writable' })
    const { entries } = await (await ask('GET', '/audit?limit=200')).json()
    const texts = entries.filter(({ summary }) => summary.startsWith('select 41') || summary.includes('41 + 1'))
    assert.deepEqual(texts.map(({ summary }) => summary), ['select 41 + 1 as writable'])
  })

  test('foreign hosts and origins are refused', async () => {
    assert.equal(await statusAs(server.url, 'evil.example'), 404)
    assert.equal(await statusAs(server.url, new URL(server.url).host), 401)
    const foreign = await ask('POST', '/query', { query: 'select 1' }, { origin: 'https://evil.example' })
    assert.equal((await foreign.json()).error.code, 'cross_site_request')
  })
})

describe('the console of the site', () => {
  let scratch
  let server
  let dataDir

  before(async () => {
    scratch = scratchFolder()
    dataDir = join(scratch.path, 'data')
    mkdirSync(dataDir, { mode: 0o755 })
    server = await startServer({ dataDir, isPrepared: true, env: { CONSOLE: 'loopback' } })
  })
  after(async () => {
    await server?.stop()
    scratch?.remove()
  })

  test('statements run without superuser rights', async () => {
    const ask = await openConsole(firstLink(server))
    const tables = await ask('GET', '/services/pg/tables?included_schemas=public')
    assert.equal(tables.status, 200, await tables.clone().text())
    const login = await ask('POST', '/query', { query: 'select session_user::text, count(*) >= 0 from public.servers' })
    assert.deepEqual((await login.json()).rows, [['console_writer', true]])
    for (const query of ['create table public.notes (id int)', "update _console.operators set role = 'owner'", 'alter role console_writer superuser']) {
      const refused = await ask('POST', '/query', { query })
      assert.equal((await refused.json()).error.sqlstate, '42501', query)
    }
  })

  test('owner-link works with a running or stopped server', async () => {
    const port = await freePort()
    const link = async () => {
      const { code, output } = await runCommand('palmares', ['console', 'owner-link', '--data-dir', dataDir, '--port', String(port)], {
        env: { CONSOLE: 'loopback' },
      })
      assert.equal(code, 0, output)
      const [address] = output.match(/http:\S+\/console\/setup\?token=\S+/)
      assert.equal(new URL(address).port, String(port))
      return new URL(address)
    }
    const whileRunning = await link()
    const ask = await openConsole(new URL(whileRunning.pathname + whileRunning.search, server.url), 'bob@example.test')
    assert.equal((await (await ask('GET', '/session')).json()).operator.role, 'owner')
    const { entries } = await (await ask('GET', '/audit')).json()
    assert.ok(entries.some(({ operator, path }) => operator === 'command line' && path === 'console owner-link'))
    await server.ends()
    const whileStopped = await link()
    server = await startServer({ dataDir, port, env: { CONSOLE: 'loopback' } })
    const again = await openConsole(whileStopped, 'cy@example.test')
    assert.equal((await again('GET', '/operators')).status, 200)
  })
})

test('owner link needs a database with a console', async () => {
  const scratch = scratchFolder()
  const dataDir = join(scratch.path, 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  const link = () => runCommand('palmares', ['console', 'owner-link', '--data-dir', dataDir])
  try {
    const missing = await link()
    assert.equal(missing.code, 1)
    assert.match(missing.output, /never started/)
    const server = await startServer({ dataDir, isPrepared: true })
    const without = await link()
    assert.equal(without.code, 1)
    assert.match(without.output, /no console/)
    await server.stop()
  } finally {
    scratch.remove()
  }
})

test('console is disabled by default on the site', async () => {
  const server = await startServer()
  try {
    assert.notEqual((await fetch(`${server.url}/console/api/session`)).headers.get('content-type'), 'application/json')
    assert.ok(!server.printed().includes('/console/'))
  } finally {
    await server.stop()
  }
})
