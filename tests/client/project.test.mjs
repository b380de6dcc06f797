// A project's folder, unchanged, by one command: `supabase-compat up`, then `db` and `migrations`.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { DENO } from '../support/deno.mjs'
import { binary, eventually, scratchFolder, startServer } from '../support/server.mjs'

const PROJECTS = fileURLToPath(new URL('../projects', import.meta.url))

/** A copy of a project in a folder of its own, with a place for its data beside it. */
function copyOf(name) {
  const scratch = scratchFolder()
  const dir = join(scratch.path, name)
  cpSync(join(PROJECTS, name), dir, { recursive: true })
  return {
    dir,
    data: join(scratch.path, 'data'),
    /** Adds a migration. */
    add(file, sql) {
      mkdirSync(join(dir, 'supabase/migrations'), { recursive: true })
      writeFileSync(join(dir, 'supabase/migrations', file), sql)
    },
    drop: (file) => rmSync(join(dir, 'supabase/migrations', file)),
    remove: scratch.remove,
  }
}

/** A token signed like the local keys of the official CLI. */
function localToken(role, exp) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: 'supabase-demo', role, exp })}`
  const mac = createHmac('sha256', 'super-secret-jwt-token-with-at-least-32-characters-long').update(signed)
  return `${signed}.${mac.digest('base64url')}`
}

/** Runs a command to its end; returns its exit code and its whole output. */
const run = (project, ...args) =>
  new Promise((resolve) => {
    const fullArgs = [...args, '--data-dir', project.data, project.dir]
    execFile(binary('supabase-compat'), fullArgs, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }))
  })

describe('a project is brought up', () => {
  let project
  let server
  let anon

  before(async () => {
    project = copyOf('shop')
    mkdirSync(project.data, { mode: 0o755 })
    server = await startServer({
      name: 'supabase-compat',
      command: 'up',
      args: [project.dir],
      dataDir: project.data,
      env: { DENO_PATH: DENO },
    })
    anon = createClient(server.url, server.keys.ANON_KEY)
  })
  after(async () => {
    await server?.stop()
    project?.remove()
  })

  const signedIn = async () => {
    const client = createClient(server.url, server.keys.ANON_KEY)
    const { data, error } = await client.auth.signInWithPassword({ email: 'ada@shop.test', password: 'correct horse' })
    assert.equal(error, null)
    return { client, user: data.user }
  }

  test('its tables are readable, with the seeds’ rows', async () => {
    const { data, error } = await anon.from('products').select('name, price_cents, code').order('name')
    assert.equal(error, null)
    assert.deepEqual(data.map((row) => row.name), ['Chair', 'Lamp; brass'])
    assert.match(data[0].code, /^[0-9a-f]{8}$/)
    const shelves = createClient(server.url, server.keys.SERVICE_ROLE_KEY).schema('warehouse').from('shelves')
    assert.equal((await shelves.select()).error, null)
  })

  test('seeded account signs in with its trigger’s profile', async () => {
    const { client, user } = await signedIn()
    assert.equal(user.identities.length, 1)
    const { data } = await client.from('profiles').select('nickname').eq('id', user.id).single()
    assert.equal(data.nickname, 'Ada; the first')
    const other = createClient(server.url, server.keys.ANON_KEY)
    const { error } = await other.auth.signUp({ email: 'grace@shop.test', password: 'correct horse', options: { data: { nickname: 'Grace' } } })
    assert.equal(error, null, 'a trigger on accounts calls an extension without its schema')
  })

  test('row security applies and changes are broadcast', async () => {
    const { client } = await signedIn()
    const { data: products } = await client.from('products').select('id').limit(1)
    const { error } = await client.from('orders').insert({ product: products[0].id })
    assert.equal(error, null)
    assert.deepEqual((await anon.from('orders').select()).data, [])
    const rows = await asOwner(server, 'select topic, event from realtime.messages')
    assert.deepEqual(rows, [{ topic: 'shop:11111111-1111-4111-8111-111111111111', event: 'INSERT' }])
  })

  test('its bucket exists, under its policies', async () => {
    const { client, user } = await signedIn()
    const png = new Blob([Buffer.from('89504e470d0a1a0a', 'hex')], { type: 'image/png' })
    const ownUpload = await client.storage.from('photos').upload(`${user.id}/lamp.png`, png)
    assert.equal(ownUpload.error, null)
    const otherUpload = await client.storage.from('photos').upload('others/lamp.png', png)
    assert.match(otherUpload.error.message, /row-level security/)
  })

  test('its function answers without a token', async () => {
    const answered = await eventually(async () => {
      const answer = await fetch(`${server.url}/functions/v1/price`)
      return answer.ok && answer.json()
    })
    assert.equal(answered.cents, 4900)
  })

  test('its SQL calls its functions asynchronously', async () => {
    const { data: call, error } = await anon.rpc('ask_price')
    assert.equal(error, null)
    const content = await eventually(async () => (await anon.rpc('price_asked', { call })).data)
    assert.equal(content.cents, 4900)
    const refused = await asOwner(server, "select net.http_get('http://127.0.0.1:1/') as id")
    const [row] = await eventually(async () => {
      const rows = await asOwner(server, `select error_msg, timed_out from net._http_response where id = ${refused[0].id}`)
      return rows.length && rows
    })
    assert.deepEqual(row, { error_msg: 'the address is not on the public internet', timed_out: false })
  })

  test('its scheduled jobs run and record results', async () => {
    await eventually(async () => (await anon.from('ticks').select()).data.length >= 2)
    const runs = await asOwner(server, "select distinct status, command from cron.job_run_details where status <> 'running'")
    assert.deepEqual(runs, [{ status: 'succeeded', command: 'insert into public.ticks default values' }])
    await asOwner(server, "select cron.unschedule('tick')")
    await asOwner(server, "select cron.schedule('wrong', '1 seconds', 'select 1 / 0')")
    const failed = await eventually(async () => {
      const rows = await asOwner(server, "select return_message from cron.job_run_details where status = 'failed' limit 1")
      return rows.length && rows
    })
    assert.match(failed[0].return_message, /division by zero/)
    const jobs = await asOwner(server, 'select jobname, active from cron.job order by jobname')
    assert.deepEqual(jobs, [{ jobname: 'nightly', active: true }, { jobname: 'wrong', active: true }])
    await assert.rejects(asOwner(server, "select cron.schedule('tomorrow', 'select 1')"), /invalid schedule/)
    const { error } = await anon.schema('cron').from('job').select()
    assert.notEqual(error, null)
  })

  test('GraphQL query reports that GraphQL is not enabled', async () => {
    const { data } = await anon.schema('graphql_public').rpc('graphql', { query: '{ a }' })
    assert.match(data.errors[0].message, /not enabled/)
  })

  test('pushed migration is served without a restart', async () => {
    project.add('20260301000000_create_reviews.sql', 'create table reviews (id int primary key); insert into reviews values (7);')
    const { code, output } = await run(project, 'db', 'push')
    assert.equal(code, 0, output)
    assert.match(output, /Applying migration 20260301000000_create_reviews\.sql/)
    const rows = await eventually(async () => (await anon.from('reviews').select()).data)
    assert.deepEqual(rows, [{ id: 7 }])
    assert.match((await run(project, 'db', 'push')).output, /up to date/)
    const { output: listed } = await run(project, 'migrations', 'list')
    assert.match(listed, /^20260301000000\s+20260301000000\s+create_reviews$/m)
    const migrations = await asOwner(server, 'select name, cardinality(statements) as parts from supabase_migrations.schema_migrations order by version desc limit 1')
    assert.deepEqual(migrations, [{ name: 'create_reviews', parts: 2 }])
  })

  test('other programs connect at the printed database URL', async () => {
    const { output } = await run(project, 'status', '--port', new URL(server.url).port)
    const [, address] = /Database URL: (postgresql:\/\/postgres:postgres@127\.0\.0\.1:\d+\/postgres)$/m.exec(output)
    const program = new pg.Client({ connectionString: address })
    await program.connect()
    const { rows } = await program.query('select count(*)::int as products from products')
    await program.end()
    assert.deepEqual(rows, [{ products: 2 }])
    const psql = await new Promise((resolve) => execFile('psql', [address, '-Atc', 'select 1'], (error, out) => resolve(error ?? out)))
    assert.equal(psql, '1\n')
    const wrongLogin = new pg.Client({ connectionString: address.replace(':postgres@', ':guess@') })
    await assert.rejects(wrongLogin.connect(), /password authentication failed/)
  })

  test('its tokens name the address that functions use', async () => {
    const { client } = await signedIn()
    const { data } = await client.auth.getSession()
    const { iss } = JSON.parse(Buffer.from(data.session.access_token.split('.')[1], 'base64url'))
    assert.equal(iss, `http://127.0.0.1:${new URL(server.url).port}/auth/v1`)
    const described = await fetch(`${server.url}/auth/v1/.well-known/openid-configuration`)
    assert.equal((await described.json()).issuer, iss)
  })

  test("CLI's fixed local keys are accepted", async () => {
    const [anonKey, serviceKey] = ['anon', 'service_role'].map((role) => localToken(role, 1983812996))
    for (const key of ['sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH', anonKey]) {
      const { data, error } = await createClient(server.url, key).from('products').select('name')
      assert.deepEqual([error, data?.length], [null, 2])
      assert.ok((await createClient(server.url, key).auth.admin.listUsers()).error, 'it is no service key')
    }
    for (const key of ['sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz', serviceKey]) {
      const service = createClient(server.url, key)
      assert.equal((await service.auth.admin.listUsers()).error, null)
      assert.equal((await service.storage.listBuckets()).error, null)
    }
    const other = await createClient(server.url, localToken('service_role', 1983812997)).from('products').select()
    assert.equal(other.status, 401)
  })

  test('schemas of the services belong to supabase_admin', async () => {
    const rows = await asOwner(
      server,
      "select nspname as name from pg_namespace where nspowner::regrole::text <> 'supabase_admin' and nspname !~ '^(pg_|information_schema$|public$)' order by 1",
    )
    assert.deepEqual(rows.map(({ name }) => name), ['supabase_migrations', 'warehouse'])
  })

  test('its status prints addresses, keys and extensions', async () => {
    const { port } = new URL(server.url)
    const { code, output } = await run(project, 'status', '--port', port)
    assert.equal(code, 0, output)
    assert.match(output, new RegExp(`API URL: http://127.0.0.1:${port}$`, 'm'))
    assert.ok(output.includes(server.keys.ANON_KEY) && output.includes(server.keys.SERVICE_ROLE_KEY))
    assert.match(output, /Migrations: \d+ applied, 0 pending/)
    assert.match(output, /Extensions: .*pg_net.*supabase_vault.*pgmq/)
    assert.doesNotMatch(output, /Missing/)
    const unreachable = await run(project, 'status', '--port', '1')
    assert.deepEqual([unreachable.code, /nobody serves the project at 127\.0\.0\.1:1/.test(unreachable.output)], [1, true], unreachable.output)
  })

  test('its status lists missing extensions of migrations', async () => {
    const file = '20990101000000_chart.sql'
    project.add(file, 'create extension if not exists timescaledb; create extension pgmq; create extension pgjwt;')
    const { output } = await run(project, 'status', '--port', new URL(server.url).port)
    assert.match(output, /Missing: timescaledb \(migrations ask for them, nobody offers them\)/)
    project.drop(file)
  })

  test('a database in use is not reset', async () => {
    const { code, output } = await run(project, 'db', 'reset')
    assert.equal(code, 1)
    assert.match(output, /in use/)
    assert.equal((await anon.from('products').select()).data.length, 2)
  })
})

describe('a project with an error', () => {
  let project

  before(() => (project = copyOf('wiki')))
  after(() => project.remove())

  test('reports the position and rolls back the file', async () => {
    const { code, output } = await run(project, 'up', '--port', '0', '--db-port', '0')
    assert.equal(code, 1)
    assert.match(output, /supabase\/migrations\/20260202000000_create_links\.sql:3:12: type "biginteger" does not exist/)
    const { output: listed } = await run(project, 'migrations', 'list')
    assert.match(listed, /^20260201000000\s+20260201000000\s+create_pages$/m)
    assert.match(listed, /^20260202000000\s+create_links$/m)
  })

  test('continues from there when the error is corrected', async () => {
    project.add('20260202000000_create_links.sql', 'create table links (source bigint references pages);')
    const { code, output } = await run(project, 'db', 'push')
    assert.equal(code, 0, output)
    assert.doesNotMatch(output, /create_pages/)
  })

  test('with late or unknown migrations is refused', async () => {
    project.add('20260201500000_late.sql', 'create table late ();')
    const late = await run(project, 'db', 'push')
    assert.deepEqual([late.code, /20260201500000_late\.sql; nothing was changed/.test(late.output)], [1, true], late.output)
    const included = await run(project, 'db', 'push', '--include-all')
    assert.equal(included.code, 0, included.output)
    project.drop('20260201500000_late.sql')
    const foreign = await run(project, 'db', 'push')
    assert.deepEqual([foreign.code, /this folder lacks: 20260201500000/.test(foreign.output)], [1, true], foreign.output)
  })

  test('is rebuilt by `db reset`', async () => {
    const { code, output } = await run(project, 'db', 'reset')
    assert.equal(code, 0, output)
    assert.match(output, /Applying migration 20260201000000_create_pages\.sql/)
    const { output: listed } = await run(project, 'migrations', 'list')
    assert.doesNotMatch(listed, /late/)
  })

  test('skips the http extension and refuses its calls', async () => {
    project.add('20260203000000_call.sql', 'create extension if not exists "http" with schema extensions;')
    const { code, output } = await run(project, 'db', 'push')
    assert.deepEqual([code, /extension skipped.*http/.test(output)], [0, true], output)
    project.add('20260203000001_called.sql', "select extensions.http_get('http://example.org/')")
    const called = await run(project, 'db', 'push')
    assert.deepEqual([called.code, /_called\.sql:1:1: .*no extension "http" here/.test(called.output)], [1, true], called.output)
    project.drop('20260203000001_called.sql')
  })

  test('is refused for duplicate versions or missing folder', async () => {
    project.add('20260202000000_twice.sql', 'select 1')
    assert.match((await run(project, 'db', 'push')).output, /have the same version; nothing was changed/)
    const nowhere = scratchFolder()
    const { code, output } = await run({ dir: nowhere.path, data: join(nowhere.path, 'data') }, 'up')
    assert.deepEqual([code, /no.* folder named supabase|has a folder named supabase/.test(output)], [1, true], output)
    assert.equal(existsSync(join(nowhere.path, 'data')), false)
    nowhere.remove()
  })
})
