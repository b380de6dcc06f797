// The log in the data folder: its entries, its redaction of secrets, the command `logs`, and Studio's endpoint.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'

import { createClient } from '../support/client.mjs'
import { runCommand } from '../support/command.mjs'
import { asOwner } from '../support/database.mjs'
import { binary, eventually, startServer } from '../support/server.mjs'

const MAIL = 'ada.lovelace@example.com'
const PASSWORD = 'a correct horse 7741'
const VALUE = 'value-of-a-row-9023'

let server
let user
let session

before(async () => {
  server = await startServer({
    name: 'supabase-compat',
    env: { GOTRUE_MAILER_AUTOCONFIRM: 'true', SMTP_HOST: '', LOG_LEVEL: 'warn' },
  })
  await asOwner(
    server,
    `create table public.things (id int primary key, name text);
     grant all on public.things to anon, authenticated, service_role;
     notify pgrst`,
  )
  const client = createClient(server.url, server.keys.ANON_KEY)
  const { data, error } = await client.auth.signUp({ email: MAIL, password: PASSWORD })
  assert.equal(error, null)
  ;({ user, session } = data)
  await eventually(async () => (await ask('/rest/v1/things')).status === 200)
})
after(() => server?.stop())

const ask = (path, { headers = {}, ...options } = {}) =>
  fetch(server.url + path, { ...options, headers: { apikey: server.keys.ANON_KEY, ...headers } })

const asAda = (path, options = {}) =>
  ask(path, { ...options, headers: { authorization: `Bearer ${session.access_token}`, ...options.headers } })

/** Entries that the command prints. */
async function logs(...args) {
  const { code, stdout, output } = await runCommand('supabase-compat', ['logs', ...args, '-o', 'json', '--data-dir', server.dataDir])
  assert.equal(code, 0, output)
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line)
    .map((line) => JSON.parse(line))
}

/** The entries, once there are at least `count`; the server writes them shortly after its answer. */
const untilThere = (count, ...args) =>
  eventually(async () => {
    const entries = await logs(...args)
    return entries.length >= count && entries
  })

/** Everything in the folder of the log. */
function text() {
  const folder = join(server.dataDir, 'logs')
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
}

describe('entries of the log', () => {
  test('request has service, account, error and id', async () => {
    const id = randomUUID()
    const answer = await asAda('/rest/v1/nothing?select=id&name=eq.x', { headers: { 'x-request-id': id } })
    assert.equal(answer.headers.get('x-request-id'), id)
    const [entry] = await untilThere(1, '--request', id)
    const { time, duration_ms, message, ...rest } = entry
    assert.ok(Date.now() - Date.parse(time) < 60_000 && duration_ms > 0 && message.includes('nothing'), JSON.stringify(entry))
    assert.deepEqual(rest, {
      service: 'rest',
      level: 'warn',
      method: 'GET',
      path: '/rest/v1/nothing',
      query: 'select=id&name=eq.…',
      status: 404,
      user: user.id,
      role: 'authenticated',
      request_id: id,
      code: 'PGRST205',
    })
  })

  test('PostgreSQL’s error entry has the request id', async () => {
    const id = randomUUID()
    const body = JSON.stringify({ id: VALUE, name: 'x' })
    const headers = { 'content-type': 'application/json', 'x-request-id': id }
    assert.equal((await asAda('/rest/v1/things', { method: 'POST', headers, body })).status, 400)
    const entries = await untilThere(2, '--request', id)
    const [postgres] = entries.filter(({ service }) => service === 'pg')
    assert.deepEqual([postgres.severity, postgres.code, postgres.level], ['ERROR', '22P02', 'error'])
    assert.match(postgres.message, /^invalid input syntax for type integer/)
  })

  test('SQL sees the id of its request', async () => {
    await asOwner(
      server,
      `create function public.request_name() returns text language sql as $$ select current_setting('application_name') $$;
       notify pgrst`,
    )
    const id = randomUUID()
    const call = () => ask('/rest/v1/rpc/request_name', { method: 'POST', headers: { 'x-request-id': id } })
    const answer = await eventually(async () => {
      const answer = await call()
      return answer.status === 200 && answer
    })
    assert.equal(await answer.json(), `request ${id}`)
    const [{ mine }] = await asOwner(server, `select current_setting('application_name') <> 'request ${id}' as mine`)
    assert.equal(mine, true)
  })
})

describe('the command', () => {
  test('filters by service, status, path, account and time', async () => {
    await ask('/auth/v1/user', { headers: { authorization: 'Bearer nonsense' } })
    await asAda('/rest/v1/things?select=id')
    await ask('/storage/v1/object/public/none/none')
    await untilThere(1, 'storage', '--path', '/storage/v1/object')
    const all = (entries, holds) => assert.ok(entries.length > 0 && entries.every(holds), JSON.stringify(entries))
    all(await logs('auth'), ({ service }) => service === 'auth')
    all(await logs('--status', '4xx'), ({ status }) => status >= 400 && status < 500)
    all(await logs('--status', '404'), ({ status }) => status === 404)
    all(await logs('--path', '/rest/v1/things'), ({ path }) => path.startsWith('/rest/v1/things'))
    all(await logs('--user', user.id), (entry) => entry.user === user.id)
    all(await logs('--since', '10m'), ({ time }) => Date.parse(time) > Date.now() - 600_000)
    assert.deepEqual(await logs('--since', new Date(Date.now() + 60_000).toISOString()), [])
    assert.equal((await logs('-n', '2')).length, 2)
  })

  test('prints lines for people', async () => {
    const { stdout } = await runCommand('supabase-compat', ['logs', 'rest', '--data-dir', server.dataDir])
    assert.match(stdout, /^\S+Z rest {6}GET 200 \/rest\/v1\/things\?select=id \d+\.\d ms .*request=\S+$/m)
  })

  test('refuses invalid arguments and names what it expects', async () => {
    for (const [args, expected] of [
      [['nobody'], /possible values: rest/],
      [['--status', '6xx'], /a status such as 404, 5xx/],
      [['--since', 'yesterday'], /a time such as 10m/],
      [['--data-dir', '/nonexistent'], /no log in \/nonexistent\/logs/],
    ]) {
      const { code, stderr } = await runCommand('supabase-compat', ['logs', ...args])
      assert.notEqual(code, 0)
      assert.match(stderr, expected)
    }
  })

  test('follows new entries', async () => {
    const path = `/rest/v1/followed_${Date.now()}`
    const args = ['logs', '--follow', '--path', path, '-o', 'json', '--data-dir', server.dataDir]
    const child = spawn(binary('supabase-compat'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    const line = once(lines, 'line')
    await ask(path)
    assert.equal(JSON.parse((await line)[0]).path, path)
    child.kill()
  })
})

describe('secrets', () => {
  test('in requests are never logged', async () => {
    const { ANON_KEY, SERVICE_ROLE_KEY, SUPABASE_SECRET_KEY } = server.keys
    const jwt = session.access_token
    const id = randomUUID()
    const asMe = { 'x-request-id': id }
    const json = { 'content-type': 'application/json', ...asMe }
    const secrets = { MAIL, PASSWORD, VALUE, ANON_KEY, SERVICE_ROLE_KEY, SUPABASE_SECRET_KEY, jwt, refresh: session.refresh_token }
    for (const secret of Object.values(secrets)) {
      const word = encodeURIComponent(secret)
      await ask(`/rest/v1/things?name=eq.${word}&apikey=${word}&access_token=${word}`, { headers: asMe })
      await ask(`/rest/v1/things?id=eq.${word}`, { headers: asMe })
      // The log keeps parameter names, because they name columns, except those that look like a secret.
      if (![VALUE, session.refresh_token].includes(secret)) await ask(`/rest/v1/things?${word}=eq.1`, { headers: asMe })
      await ask(`/rest/v1/things?name=${word}`, { headers: asMe })
      await ask(`/auth/v1/verify?token=${word}&type=signup&redirect_to=${word}`, { headers: asMe, redirect: 'manual' })
      await ask('/rest/v1/things', { headers: { ...asMe, authorization: `Bearer ${secret}`, cookie: `session=${secret}` } })
      await ask('/rest/v1/things', { headers: { ...asMe, apikey: secret, 'user-agent': secret, referer: `http://x/${word}` } })
      await ask('/rest/v1/things', { method: 'POST', headers: json, body: JSON.stringify({ id: secret, name: secret }) })
      await ask('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: MAIL, password: secret }),
      })
      await ask('/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ refresh_token: secret }),
      })
      await ask('/auth/v1/otp', { method: 'POST', headers: json, body: JSON.stringify({ email: secret }) })
    }
    for (const secret of [MAIL, ANON_KEY, SERVICE_ROLE_KEY, SUPABASE_SECRET_KEY, jwt]) {
      await ask(`/storage/v1/object/public/bucket/${encodeURIComponent(secret)}`, { headers: asMe })
      await ask(`/functions/v1/none/${encodeURIComponent(secret)}`, { headers: asMe })
    }
    // Once this entry is written, all earlier ones are.
    const last = randomUUID()
    await ask('/rest/v1/things', { headers: { 'x-request-id': last } })
    await untilThere(1, '--request', last)
    assert.ok((await logs('--request', id, '-n', '1000')).length > 80)
    await eventually(async () => (await logs('pg', '--request', id)).length > 0)
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(!text().includes(secret), `${name} is in the log: ${text().split('\n').find((line) => line.includes(secret))}`)
      assert.ok(!text().includes(encodeURIComponent(secret)), `${name} is in the log, encoded`)
    }
  })
})

describe('the endpoint of Studio', () => {
  const query = async (name, parameters, headers) => {
    const address = `${server.url}/api/endpoints/query/${name}?${new URLSearchParams({ project: 'default', ...parameters })}`
    const answer = await fetch(address, { headers: headers ?? { 'x-api-key': server.keys.SERVICE_ROLE_KEY } })
    return { status: answer.status, body: await answer.json() }
  }

  test('answers the service key only', async () => {
    const { ANON_KEY, SERVICE_ROLE_KEY, SUPABASE_SECRET_KEY } = server.keys
    const refused = { status: 401, body: { error: 'Unauthorized' } }
    for (const headers of [
      {},
      { 'x-api-key': ANON_KEY },
      { 'x-api-key': 'nonsense' },
      { 'x-api-key': session.access_token },
      { authorization: `Bearer ${session.access_token}` },
      { apikey: ANON_KEY },
    ]) {
      assert.deepEqual(await query('logs.all', {}, headers), refused, JSON.stringify(headers))
      assert.deepEqual(await query('nothing', {}, headers), refused)
    }
    for (const headers of [
      { 'x-api-key': SERVICE_ROLE_KEY },
      { 'x-api-key': SUPABASE_SECRET_KEY },
      { authorization: `Bearer ${SERVICE_ROLE_KEY}` },
    ]) {
      assert.equal((await query('logs.all', {}, headers)).status, 200)
    }
  })

  test('finds a request that was answered just before', async () => {
    const path = `/rest/v1/found_${Date.now()}`
    await ask(path)
    const sql = `select id, edge_logs.timestamp, event_message, request.method, request.path, response.status_code
      from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request
      cross join unnest(m.response) as response where (regexp_contains(event_message, '${path}'))
      order by timestamp desc limit 100`
    const { body } = await query('logs.all', { sql, iso_timestamp_start: new Date(Date.now() - 60_000).toISOString() })
    assert.deepEqual(
      body.result.map((row) => [row.method, row.path, row.status_code]),
      [['GET', path, 404]],
    )
    const one = await query('logs.all', { sql: `select id, timestamp, event_message, metadata from edge_logs where id = '${body.result[0].id}' limit 1` })
    assert.equal(one.body.result[0].metadata[0].request[0].path, path)
    const later = await query('logs.all', { sql, iso_timestamp_start: new Date(Date.now() + 60_000).toISOString() })
    assert.deepEqual(later.body, { result: [] })
  })

  test('counts calls by service', async () => {
    const { body } = await query('usage.api-counts', { interval: 'minutely' })
    const total = (name) => body.result.reduce((sum, row) => sum + row[name], 0)
    assert.ok(total('total_rest_requests') > 50 && total('total_auth_requests') > 10, JSON.stringify(body))
  })

  test('refuses unknown queries with Logflare’s messages', async () => {
    assert.deepEqual(await query('nothing', {}), { status: 404, body: { error: 'Not Found' } })
    for (const sql of ['drop table edge_logs', 'select * from edge_logs', 'select id from elsewhere', "select pg_read_file('/etc/passwd') from edge_logs"]) {
      const { status, body } = await query('logs.all', { sql })
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['error'])
      assert.equal(typeof body.error, 'string')
    }
    assert.match((await query('logs.all', { iso_timestamp_end: 'never' })).body.error, /Invalid timestamp/)
    assert.match((await query('usage.api-counts', { interval: 'yearly' })).body.error, /interval/)
  })
})

test('log size of zero disables the log', async () => {
  const silentServer = await startServer({ name: 'supabase-compat', env: { LOG_MAX_SIZE: '0' } })
  try {
    const missing = `/rest/v1/${randomUUID()}`
    await fetch(silentServer.url + missing)
    const { output } = await runCommand('supabase-compat', ['serve', '--data-dir', silentServer.dataDir], { env: { LOG_MAX_SIZE: '5' } })
    assert.match(output, /LOG_MAX_SIZE: expected 0, or a size from 1MiB/)
    assert.equal(await silentServer.ends(), 0)
    // The folder may have a log of before, with other requests.
    const logs = join(silentServer.dataDir, 'logs')
    const files = existsSync(logs) ? readdirSync(logs) : []
    assert.ok(files.every((file) => !readFileSync(join(logs, file), 'utf8').includes(missing)))
  } finally {
    await silentServer.stop()
  }
})
