// Third-party programs at the database address that `up` prints: psql, Drizzle and the official CLI.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { eq } from 'drizzle-orm'
import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import pg from 'pg'

import { createClient } from '../support/client.mjs'
import { PROJECTS } from '../support/project.mjs'
import { binary, eventually, scratchFolder, startServer } from '../support/server.mjs'

const require = createRequire(import.meta.url)
/** The official CLI, from npm's package for Linux on x86-64. */
const CLI = join(dirname(require.resolve('@supabase/cli-linux-x64/package.json')), 'bin/supabase')
const KIT = join(dirname(require.resolve('drizzle-kit')), 'bin.cjs')
/** The folder in which drizzle-kit and drizzle-orm are installed, as in a real project. */
const TESTS = fileURLToPath(new URL('..', import.meta.url))

let scratch
let dir
let data
let server
let address

const start = () =>
  startServer({ name: 'supabase-compat', command: 'up', args: [dir], dataDir: data, isPrepared: true })

/** Runs a program to its end; resolves with its exit code and whole output. */
const run = (program, args, options = {}) =>
  new Promise((resolve) =>
    execFile(program, args, { timeout: 60_000, ...options }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, output: stdout + stderr }),
    ),
  )

const psql = (...statements) =>
  run('psql', [address, '--no-psqlrc', '-At', '--set=ON_ERROR_STOP=1', ...statements.flatMap((one) => ['-c', one])])

const anon = () => createClient(server.url, server.keys.ANON_KEY)

async function statusOutput() {
  const { output } = await run(binary('supabase-compat'), ['status', '--port', new URL(server.url).port, '--data-dir', data, dir])
  return /Database URL: (\S+)$/m.exec(output)[1]
}

/** Asserts that every service answers and stores data. */
async function servicesWork(person) {
  const client = anon()
  const { data: made, error } = await client.auth.signUp({ email: `${person}@club.test`, password: 'correct horse' })
  assert.equal(error, null)
  const put = await client.storage.from('badges').upload(`${person}.txt`, 'badge')
  assert.equal(put.error, null)
  assert.equal((await client.from('members').select('nickname').eq('id', made.user.id).single()).data.nickname, person)
}

before(async () => {
  scratch = scratchFolder()
  dir = join(scratch.path, 'club')
  data = join(scratch.path, 'data')
  cpSync(join(PROJECTS, 'club'), dir, { recursive: true })
  mkdirSync(data, { mode: 0o755 })
  server = await start()
  address = await statusOutput()
})
after(async () => {
  await server?.stop()
  scratch?.remove()
})

describe('psql', () => {
  test('connects as postgres with a hosted project’s rights', async () => {
    const rights = 'select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user'
    assert.deepEqual(await psql('select current_user', rights), { code: 0, output: 'postgres\nf|t|t|t|t\n' })
    const superuser = address.replace('//postgres:', '//supabase_admin:')
    assert.match((await run('psql', [superuser, '-c', 'select 1'])).output, /password authentication failed/)
  })

  test('cannot drop the schema of a service', async () => {
    for (const schema of ['auth', 'storage', 'extensions', 'realtime', 'net', 'cron', 'vault', 'pgmq', 'supabase_functions', 'graphql_public']) {
      const { code, output } = await psql(`drop schema ${schema} cascade`)
      assert.deepEqual([code, output.includes(`must be owner of schema ${schema}`)], [1, true], output)
    }
    await servicesWork('ada-psql')
  })

  test('uses the services’ schemas like a project', async () => {
    const { code, output } = await psql(
      `create policy "psql" on storage.objects for delete to authenticated using (false)`,
      `drop policy "psql" on storage.objects`,
      `create trigger psql after update on auth.users for each row execute function public.enrol()`,
      `drop trigger psql on auth.users`,
      `select vault.create_secret('sesame', 'psql')`,
      `select decrypted_secret from vault.decrypted_secrets where name = 'psql'`,
      `select pgmq.create('psql')`,
      `select pgmq.send('psql', '{}')`,
      `select pgmq.drop_queue('psql')`,
      `select cron.schedule('psql', '30 3 * * *', 'select 1')`,
      `select cron.unschedule('psql')`,
      `select net.http_get('http://127.0.0.1:1/') > 0`,
      `alter publication supabase_realtime add table public.members`,
      `set session_replication_role = replica`,
      `create extension if not exists citext`,
      `alter role authenticator set pgrst.db_max_rows = 900`,
      `alter role authenticator reset pgrst.db_max_rows`,
    )
    assert.equal(code, 0, output)
    assert.match(output, /^sesame$/m)
  })

  test('makes a table that is served at once', async () => {
    const { code, output } = await psql('create table by_psql (id int primary key)', 'insert into by_psql values (7)')
    assert.equal(code, 0, output)
    assert.deepEqual(await eventually(async () => (await anon().from('by_psql').select()).data), [{ id: 7 }])
  })
})

describe('Drizzle', () => {
  const makers = pgTable('makers', { id: serial('id').primaryKey(), name: text('name').notNull() })

  test('migrates from a folder, once, and queries', async () => {
    const folder = join(scratch.path, 'drizzle')
    mkdirSync(join(folder, 'meta'), { recursive: true })
    writeFileSync(
      join(folder, '0000_makers.sql'),
      'CREATE TABLE "makers" ("id" serial PRIMARY KEY NOT NULL, "name" text NOT NULL);\n--> statement-breakpoint\nCREATE INDEX ON "makers" ("name");',
    )
    const entries = [{ idx: 0, version: '7', when: 1, tag: '0000_makers', breakpoints: true }]
    writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
    const pool = new pg.Pool({ connectionString: address })
    try {
      const db = drizzle(pool)
      await migrate(db, { migrationsFolder: folder })
      await migrate(db, { migrationsFolder: folder })
      const made = await db.transaction((work) => work.insert(makers).values([{ name: 'Ada' }, { name: 'Grace' }]).returning())
      assert.deepEqual(made, [{ id: 1, name: 'Ada' }, { id: 2, name: 'Grace' }])
      assert.deepEqual(await db.select().from(makers).where(eq(makers.name, 'Grace')), [{ id: 2, name: 'Grace' }])
    } finally {
      await pool.end()
    }
    assert.equal((await eventually(async () => (await anon().from('makers').select()).data)).length, 2)
  })

  test('pushes a schema by its kit without drift', async () => {
    const folder = join(scratch.path, 'kit')
    mkdirSync(folder)
    writeFileSync(
      join(folder, 'schema.ts'),
      `import { pgSchema, serial, text } from 'drizzle-orm/pg-core'
       export const yard = pgSchema('yard')
       export const parts = yard.table('parts', { id: serial('id').primaryKey(), name: text('name').unique() })`,
    )
    const config = { dialect: 'postgresql', schema: './schema.ts', schemaFilter: ['yard'], dbCredentials: { url: address } }
    writeFileSync(join(folder, 'drizzle.config.json'), JSON.stringify(config))
    const push = () =>
      run(process.execPath, [KIT, 'push', '--config=drizzle.config.json', '--force'], {
        cwd: folder,
        env: { ...process.env, NODE_PATH: join(TESTS, 'node_modules') },
      })
    const first = await push()
    assert.deepEqual([first.code, /Changes applied/.test(first.output)], [0, true], first.output)
    const again = await push()
    assert.deepEqual([again.code, /No changes detected/.test(again.output)], [0, true], again.output)
    assert.deepEqual(await psql('select count(*) from yard.parts'), { code: 0, output: '0\n' })
  })
})

describe('the official CLI', () => {
  /** Runs a command of the CLI in the project's folder. */
  const cli = (...args) =>
    run(CLI, [...args, '--db-url', `${address}?sslmode=disable`, '--workdir', dir, '--yes'], {
      env: { ...process.env, HOME: scratch.path, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' },
    })
  const add = (file, sql) => writeFileSync(join(dir, 'supabase/migrations', file), sql)

  test('lists applied migrations and applies new ones', async () => {
    const listed = await cli('migration', 'list')
    assert.deepEqual([listed.code, /20260702000000/.test(listed.output)], [0, true], listed.output)
    add('20270101000000_pushed.sql', 'create table pushed (id int primary key); insert into pushed values (1);')
    const pushed = await cli('db', 'push')
    assert.equal(pushed.code, 0, pushed.output)
    add('20270102000000_upped.sql', 'create table upped (id int primary key);')
    const upped = await cli('migration', 'up')
    assert.equal(upped.code, 0, upped.output)
    assert.deepEqual(await eventually(async () => (await anon().from('pushed').select()).data), [{ id: 1 }])
    assert.deepEqual(await eventually(async () => (await anon().from('upped').select()).data), [])
    const { output } = await run(binary('supabase-compat'), ['migrations', 'list', '--data-dir', data, dir])
    assert.match(output, /^20270102000000\s+20270102000000\s+upped$/m)
  })

  test('resets the database and keeps services working', async () => {
    const { code, output } = await cli('db', 'reset')
    assert.equal(code, 0, output)
    assert.deepEqual(await eventually(async () => (await anon().from('pushed').select()).data), [{ id: 1 }])
    assert.match((await psql('select count(*) from makers')).output, /relation "makers" does not exist/)
    await servicesWork('grace-reset')
    assert.deepEqual((await anon().from('boats').select('name').order('name')).data, [{ name: 'Argo' }, { name: 'Beagle' }])
  })

  test('leaves a database that can be restarted', async () => {
    await server.stop()
    server = await start()
    address = await statusOutput()
    await servicesWork('margaret-again')
    const client = anon()
    const { error } = await client.auth.signInWithPassword({ email: 'grace-reset@club.test', password: 'correct horse' })
    assert.equal(error, null)
  })
})
