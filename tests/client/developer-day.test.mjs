// A day of a developer with `supabase-compat` alone: from an empty folder to a schema, a function and a reset.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import pg from 'pg'

import { createClient } from '../support/client.mjs'
import { runCommand } from '../support/command.mjs'
import { DENO } from '../support/deno.mjs'
import { eventually, scratchFolder, startServer } from '../support/server.mjs'

const NAME = 'supabase-compat'

let scratch
let dir
let data
let server
let status

const environment = { DENO_PATH: DENO }
/** Runs a command in the project's folder, on the project's data. */
const run = (...args) => runCommand(NAME, [...args, '--data-dir', data, '--workdir', dir], { env: environment })
const done = async (...args) => {
  const result = await run(...args)
  assert.equal(result.code, 0, result.output)
  return result
}
const migrations = () => readdirSync(join(dir, 'supabase/migrations')).sort()
const start = () =>
  startServer({ name: NAME, command: 'up', args: ['--watch', '--yes', dir], dataDir: data, env: environment })
const port = () => ['--port', new URL(server.url).port]
const anon = () => createClient(server.url, status.ANON_KEY)

async function sql(text) {
  const client = new pg.Client({ connectionString: status.DB_URL })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

before(() => {
  scratch = scratchFolder()
  dir = join(scratch.path, 'notebook')
  data = join(scratch.path, 'data')
  mkdirSync(data, { mode: 0o755 })
})
after(async () => {
  await server?.stop()
  scratch?.remove()
})

describe('a day of a developer', () => {
  test('starts with init, a migration and a server', async () => {
    const made = await runCommand(NAME, ['init', dir])
    assert.equal(made.code, 0, made.output)
    const created = await done('migration', 'new', 'create notes')
    const [, path] = /Created new migration at (\S+_create_notes\.sql)$/m.exec(created.output)
    writeFileSync(
      path,
      `create table notes (id bigint generated always as identity primary key, text text not null);
       alter table notes enable row level security;
       create policy "all may read" on notes for select using (true);
       insert into notes (text) values ('first');`,
    )
    server = await start()
    const { stdout } = await done('status', ...port(), '-o', 'json')
    status = JSON.parse(stdout)
    assert.equal(status.API_URL, server.url.replace('localhost', '127.0.0.1'))
    assert.deepEqual((await anon().from('notes').select('text')).data, [{ text: 'first' }])
  })

  test('prints status as environment variables', async () => {
    const { stdout } = await done('status', ...port(), '-o', 'env', '--override-name', 'api.url=MY_URL')
    assert.match(stdout, new RegExp(`^MY_URL="${status.API_URL}"$`, 'm'))
    assert.match(stdout, /^SERVICE_ROLE_KEY="ey/m)
  })

  test('applies a new migration while serving', async () => {
    await done('migration', 'new', 'add_done')
    const file = migrations().find((name) => name.endsWith('_add_done.sql'))
    writeFileSync(join(dir, 'supabase/migrations', file), 'alter table notes add done boolean not null default false;')
    const rows = await eventually(async () => (await anon().from('notes').select('text, done')).data)
    assert.deepEqual(rows, [{ text: 'first', done: false }])
  })

  test('makes a function and a secret for it', async () => {
    await done('functions', 'new', 'hello', '--auth', 'none')
    const file = join(dir, 'supabase/functions/hello/index.ts')
    assert.match(readFileSync(file, 'utf8'), /Deno\.serve/)
    await done('secrets', 'set', "GREETING=it's $5")
    const { stdout } = await done('secrets', 'list')
    assert.match(stdout, /^GREETING +[0-9a-f]{64}$/m)
    writeFileSync(file, "Deno.serve(() => new Response(Deno.env.get('GREETING')))")
    // The folder of functions was created after the server's start, so only the next start finds it.
    await server.stop()
    server = await start()
    status = JSON.parse((await done('status', ...port(), '-o', 'json')).stdout)
    const answer = await eventually(async () => {
      const response = await fetch(`${server.url}/functions/v1/hello`)
      return response.ok && response.text()
    })
    assert.equal(answer, "it's $5")
    await done('secrets', 'unset', 'GREETING')
    assert.doesNotMatch((await done('secrets', 'list')).stdout, /GREETING/)
  })

  test('seeds configured buckets with their files', async () => {
    const config = join(dir, 'supabase/config.toml')
    const bucket = '[storage.buckets.covers]\nallowed_mime_types = ["text/plain"]\nobjects_path = "./covers"\n'
    const folder = join(dir, "supabase/covers/it's new")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '.hidden'), '')
    writeFileSync(join(folder, 'one two.txt'), 'first')
    const address = `${server.url}/storage/v1/object/public/covers/it's%20new/one%20two.txt`
    const settings = readFileSync(config, 'utf8')
    writeFileSync(config, `${settings}\n${bucket}`)
    assert.match((await done('seed', 'buckets', ...port())).stdout, /Created bucket: covers\nUploading: .*one two\.txt => covers\/it's new\/one two\.txt/)
    assert.equal((await fetch(address)).status, 400, 'the bucket is private')

    writeFileSync(join(folder, 'one two.txt'), 'second')
    writeFileSync(config, `${settings}\n${bucket}public = true\n`)
    assert.match((await done('seed', 'buckets', ...port())).stdout, /Updated bucket: covers/)
    const answer = await fetch(address)
    assert.deepEqual([answer.headers.get('content-type'), await answer.text()], ['text/plain', 'second'])
    const service = createClient(server.url, status.SERVICE_ROLE_KEY).storage
    assert.deepEqual((await service.from('covers').list("it's new")).data.map(({ name }) => name), ['one two.txt'])

    writeFileSync(join(folder, 'picture.png'), 'no text')
    const refused = await run('seed', 'buckets', ...port())
    assert.notEqual(refused.code, 0)
    assert.match(refused.output, /storage\/v1 refuses it's new\/picture\.png: .*mime type image\/png is not supported/)
  })

  test('turns a manual change into a migration', async () => {
    const none = await done('db', 'diff')
    assert.match(none.stdout, /No schema changes found/)
    await sql(`create table tags (name text primary key, "it's" integer default 7);
               create index on tags ("it's");
               alter table tags enable row level security;
               grant select on tags to anon`)
    const diff = await done('db', 'diff')
    assert.match(diff.stdout, /CREATE TABLE "?public"?\."?tags"?/i)
    const written = await done('db', 'diff', '-f', 'tags')
    assert.match(written.output, /Created new migration at \S+_tags\.sql/)
    const version = migrations().at(-1).split('_')[0]
    await done('migration', 'repair', version, '--status', 'applied')
    assert.match((await done('migration', 'list')).stdout, new RegExp(`^${version}\\s+${version}\\s+tags$`, 'm'))
    assert.match((await done('db', 'diff')).stdout, /No schema changes found/)
  })

  test('refuses a destructive diff without --force', async () => {
    await sql('alter table notes drop column done')
    const before = migrations()
    const refused = await run('db', 'diff', '-f', 'lost')
    assert.deepEqual([refused.code, /loses rows.*--force.*DROP COLUMN/is.test(refused.output)], [1, true], refused.output)
    assert.deepEqual(migrations(), before)
    const forced = await done('db', 'diff', '-f', 'lost', '--force')
    assert.match(forced.output, /Created new migration at \S+_lost\.sql/)
    await done('migration', 'repair', migrations().at(-1).split('_')[0], '--status', 'applied')
  })

  test('looks into the database and dumps it', async () => {
    const tables = await done('inspect', 'db', 'table-stats')
    assert.match(tables.stdout, /^ {2}Name +\| Table size +\|/m)
    assert.match(tables.stdout, /public\.notes/)
    // The embedded server keeps statistics of statements, as hosted projects do.
    assert.match((await done('inspect', 'db', 'outliers')).stdout, /alter table notes|select/i)
    assert.match((await done('db', 'lint')).output, /No schema errors found/)
    const file = join(scratch.path, 'schema.sql')
    await done('db', 'dump', '-f', file)
    const text = readFileSync(file, 'utf8')
    assert.match(text, /CREATE TABLE IF NOT EXISTS "public"\."tags"/)
    assert.doesNotMatch(text, /"auth"\."users" \(/)
    const rows = await done('db', 'dump', '--data-only')
    assert.match(rows.stdout, /session_replication_role = replica[^]*INSERT INTO "public"\."notes"/)
  })

  test('ends with a squash and database reset', async () => {
    assert.match((await run('db', 'reset')).output, /in use/)
    await done('stop')
    await assert.rejects(fetch(server.url))
    server = undefined
    const squashed = await done('migration', 'squash')
    assert.match(squashed.output, /Squashed 4 migrations/)
    assert.equal(migrations().length, 1)
    const reset = await done('db', 'reset')
    assert.match(reset.stdout, /Applying migration \d+_squashed\.sql/)
    server = await start()
    status = JSON.parse((await done('status', ...port(), '-o', 'json')).stdout)
    assert.deepEqual(await sql("select table_name from information_schema.tables where table_schema = 'public' order by 1"), [
      { table_name: 'notes' },
      { table_name: 'tags' },
    ])
    assert.equal(existsSync(join(dir, 'supabase/seed.sql')), true)
  })
})

describe('a command that cannot work', () => {
  const refused = async (pattern, args, at = dir) => {
    const result = await runCommand(NAME, [...args, '--workdir', at], { env: { ...environment, DATA_DIR: join(scratch.path, 'elsewhere') } })
    assert.notEqual(result.code, 0, result.output)
    assert.match(result.output, pattern)
  }

  test('names a remedy and changes nothing', async () => {
    const empty = join(scratch.path, 'empty')
    mkdirSync(empty)
    await refused(/neither .* nor a folder above it has a folder named supabase/, ['inspect', 'db', 'locks'], empty)
    await refused(/never started; supabase-compat up starts it/, ['inspect', 'db', 'locks'])
    await refused(/no server runs on .*; nothing was stopped/, ['stop'])
    await refused(/nobody serves the project/, ['seed', 'buckets', '--port', '1'])
    await refused(/is no name for a migration: letters/, ['migration', 'new', "it's; drop"])
    await refused(/is no name for a function/, ['functions', 'new', '../up'])
    await refused(/is no name for a secret/, ['secrets', 'set', 'A B=1'])
    await refused(/cannot be reached.*--db-url/, ['migration', 'list', '--db-url', 'postgresql://a@127.0.0.1:1/x'])
    await refused(/no migration of version 7/, ['migration', 'repair', '7', '--status', 'applied', '--db-url', status.DB_URL])
    const [{ has_pgtap }] = await sql("select exists (select from pg_available_extensions where name = 'pgtap') as has_pgtap")
    const lacking = has_pgtap ? /x\.sql: No such file/ : /needs the extension pgtap.*postgresql-\d+-pgtap/
    await refused(lacking, ['test', 'db', 'x.sql', '--db-url', status.DB_URL])
  })
})
