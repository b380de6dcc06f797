// A project hosted on another platform: its dump becomes a project here, and can be moved back.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import pg from 'pg'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { binary, scratchFolder, startServer } from '../support/server.mjs'
import { totp } from '../support/totp.mjs'

const NOTES = fileURLToPath(new URL('../projects/notes', import.meta.url))
const HOSTED = readFileSync(join(NOTES, 'hosted.sql'), 'utf8')
const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const ADA = '11111111-1111-4111-8111-111111111111'

/** The folder of PostgreSQL's programs in the server's version. */
function programs(server) {
  if (process.env.PG_BINDIR) return process.env.PG_BINDIR
  const [major] = readdirSync(join(server.dataDir, 'data'))
  return `/usr/lib/postgresql/${major}/bin`
}

const run = async (...args) =>
  promisify(execFile)(binary('supabase-compat'), args).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )

describe('a dump of a hosted project', () => {
  let scratch
  let folder
  let data
  let dump
  /** The other platform; a server of ours stands in for it. */
  let platform
  let server

  const platformAt = (database) => `host=${platform.dataDir}/run user=supabase_admin dbname=${database}`
  const onPlatform = async (database, sql) => {
    const client = new pg.Client({ host: `${platform.dataDir}/run`, user: 'supabase_admin', database })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const dumped = (database, ...more) =>
    promisify(execFile)(join(programs(platform), 'pg_dump'), ['--format=custom', '--no-owner', `--dbname=${platformAt(database)}`, ...more])

  before(async () => {
    scratch = scratchFolder()
    folder = join(scratch.path, 'notes')
    data = join(scratch.path, 'data')
    dump = join(scratch.path, 'hosted.dump')
    cpSync(NOTES, folder, { recursive: true })
    mkdirSync(data, { mode: 0o755 })
    platform = await startServer({ name: 'supabase-compat' })
    for (const database of ['hosted', 'fresh']) {
      await onPlatform('postgres', `create database ${database}`)
      await onPlatform(database, HOSTED)
    }
    await dumped('hosted', `--file=${dump}`, '--schema=auth', '--schema=storage', '--schema=public', '--schema=supabase_migrations')
  })
  after(async () => {
    await server?.stop()
    await platform?.stop()
    scratch?.remove()
  })

  const takeOver = (file, into = data) => run('db', 'take-over', file, folder, '--data-dir', into)

  test('is refused if invalid or for used data', async () => {
    const text = join(scratch.path, 'text.sql')
    writeFileSync(text, 'select 1')
    const wrong = await takeOver(text)
    assert.equal(wrong.code, 1)
    assert.match(wrong.output, /pg_restore: error: input file/)
    const missing = await takeOver(join(scratch.path, 'nowhere.dump'))
    assert.match(missing.output, /nowhere\.dump: No such file/)
    const used = await takeOver(dump, platform.dataDir)
    assert.deepEqual([used.code, /has been used.*nothing was changed/.test(used.output)], [1, true], used.output)
  })

  test('is taken over and its project served', async () => {
    const { code, output } = await takeOver(dump)
    assert.equal(code, 0, output)
    assert.match(output, /Taken over\./)
    assert.match(output, /Not applied yet.*20240902000000_pin_notes\.sql/)
    assert.doesNotMatch(output, /create_notes/)
    server = await startServer({ name: 'supabase-compat', command: 'up', args: [folder], dataDir: data })
    const pushed = await run('db', 'push', folder, '--data-dir', data)
    assert.equal(pushed.code, 0, pushed.output)
    const ledgers = await asOwner(server, `select (select count(*)::int from auth.schema_migrations) as auth,
      (select count(*)::int from storage.migrations) as storage, (select count(*)::int from supabase_migrations.schema_migrations) as own`)
    assert.deepEqual(ledgers, [{ auth: 3, storage: 2, own: 2 }])
  })

  const client = () => createClient(server.url, server.keys.ANON_KEY)
  const signedIn = async (person) => {
    const ownClient = client()
    const { error } = await ownClient.auth.signInWithPassword({ email: `${person}@hosted.test`, password: 'correct horse' })
    assert.equal(error, null)
    return ownClient
  }

  test('keeps accounts’ passwords and their hashes', async () => {
    const hash = () => asOwner(server, "select encrypted_password from auth.users where email = 'ada@hosted.test'")
    const before = await hash()
    const ada = await signedIn('ada')
    assert.match(before[0].encrypted_password, /^\$2a\$/)
    assert.deepEqual(await hash(), before)
    const { data } = await ada.from('notes').select('text, is_pinned')
    assert.deepEqual(data, [{ text: 'of Ada', is_pinned: false }])
    assert.deepEqual((await ada.from('profiles').select('nickname')).data, [{ nickname: 'Ada' }])
    assert.equal((await ada.from('notes').insert({ text: 'new' })).error, null)
  })

  test('sessions continue, and identities are kept', async () => {
    const bob = client()
    const { data, error } = await bob.auth.refreshSession({ refresh_token: 'v2mzyqk4uwcx' })
    assert.equal(error, null)
    const { data: claims } = await bob.auth.getClaims()
    assert.equal(claims.claims.session_id, '44444444-4444-4444-8444-444444444444')
    assert.deepEqual(data.user.identities.map((one) => one.provider).sort(), ['email', 'github'])
  })

  test('second factors still work', async () => {
    const ada = await signedIn('ada')
    assert.equal((await ada.auth.mfa.getAuthenticatorAssuranceLevel()).data.nextLevel, 'aal2')
    const factorId = '33333333-3333-4333-8333-333333333333'
    assert.equal((await ada.auth.mfa.challengeAndVerify({ factorId, code: totp(TOTP_SECRET) })).error, null)
    assert.equal((await ada.auth.mfa.getAuthenticatorAssuranceLevel()).data.currentLevel, 'aal2')
  })

  test('keeps object policies and accepts their contents', async () => {
    const [ada, bob] = [await signedIn('ada'), await signedIn('bob')]
    const listed = async (one) => (await one.storage.from('files').list(ADA)).data.map((object) => object.name)
    assert.deepEqual([await listed(ada), await listed(bob)], [['note.txt'], []])
    const path = `${ADA}/note.txt`
    assert.notEqual((await ada.storage.from('files').download(path)).error, null, 'no dump has the bytes')
    const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
    const row = () => asOwner(server, `select id, owner_id from storage.objects where name = '${path}'`)
    const before = await row()
    await asOwner(server, 'create table supabase_migrations.owners as select id, owner, owner_id from storage.objects')
    const put = await service.storage.from('files').upload(path, new Blob(['hello'], { type: 'text/plain' }), { upsert: true })
    assert.equal(put.error, null)
    await asOwner(server, `update storage.objects as o set owner = k.owner, owner_id = k.owner_id
      from supabase_migrations.owners as k where o.id = k.id; drop table supabase_migrations.owners`)
    assert.deepEqual(await row(), before)
    assert.equal(await (await ada.storage.from('files').download(path)).data.text(), 'hello')
    assert.equal((await ada.storage.from('files').upload(`${ADA}/new.txt`, 'new')).error, null)
    assert.notEqual((await bob.storage.from('files').upload(`${ADA}/other.txt`, 'x')).error, null)
    assert.equal((await ada.storage.from('files').remove([`${ADA}/new.txt`])).error, null)
  })

  test('keeps the sign-up trigger that creates profiles', async () => {
    const eve = client()
    const { error } = await eve.auth.signUp({ email: 'eve@hosted.test', password: 'correct horse', options: { data: { nickname: 'Eve' } } })
    assert.equal(error, null)
    assert.deepEqual((await eve.from('profiles').select('nickname')).data, [{ nickname: 'Eve' }])
  })

  test('accounts, factors, rows and objects are exported back', async () => {
    const back = join(scratch.path, 'back.sql')
    const tables = ['auth.users', 'auth.identities', 'auth.mfa_factors', 'storage.buckets', 'storage.objects', 'public.*']
    const program = (name, ...args) =>
      promisify(execFile)(join(programs(platform), name), args).catch((error) => assert.fail(error.stderr))
    const connectionString = `host=${data}/run user=postgres dbname=postgres`
    await program('pg_dump', '--data-only', `--file=${back}`, `--dbname=${connectionString}`, ...tables.map((table) => `--table=${table}`))
    // The platform as for a new project: its newest schemas, the project's migrations, and no accounts.
    await onPlatform('fresh', `truncate auth.users, storage.buckets, storage.prefixes cascade;
      alter table auth.mfa_factors add column phone text, add column web_authn_credential jsonb,
        add column web_authn_aaguid uuid, add column last_webauthn_challenge_data jsonb;
      create type storage.buckettype as enum ('STANDARD');
      alter table storage.buckets add column type storage.buckettype not null default 'STANDARD';
      alter table public.notes add column is_pinned boolean not null default false`)
    await program('psql', '--no-psqlrc', '--quiet', '--single-transaction', '--set=ON_ERROR_STOP=1',
      '--command=set session_replication_role = replica', `--file=${back}`, `--dbname=${platformAt('fresh')}`)
    const people = await onPlatform('fresh', 'select email, left(encrypted_password, 4) as kind from auth.users order by email')
    assert.deepEqual(people, [
      { email: 'ada@hosted.test', kind: '$2a$' },
      { email: 'bob@hosted.test', kind: '$2a$' },
      { email: 'eve@hosted.test', kind: '$arg' },
    ])
    const [counted] = await onPlatform('fresh', `select (select count(*)::int from storage.objects) as objects,
      (select count(*)::int from public.notes) as notes, (select count(*)::int from public.profiles) as profiles,
      (select secret from auth.mfa_factors) as secret`)
    assert.deepEqual(counted, { objects: 1, notes: 3, profiles: 3, secret: TOTP_SECRET })
  })
})

describe('other ways to take over', () => {
  let scratch
  let platform

  before(async () => {
    scratch = scratchFolder()
    platform = await startServer({ name: 'supabase-compat' })
  })
  after(async () => {
    await platform?.stop()
    scratch?.remove()
  })

  test('a database of other servers is served unchanged', async () => {
    const at = (database) => new pg.Client({ host: `${platform.dataDir}/run`, user: 'supabase_admin', database })
    const create = at('postgres')
    await create.connect()
    await create.query('create database selfhosted')
    await create.end()
    const inside = at('selfhosted')
    await inside.connect()
    await inside.query(HOSTED)
    const server = await startServer({
      name: 'supabase-compat',
      env: { DATABASE_URL: `postgres://supabase_admin@${encodeURIComponent(`${platform.dataDir}/run`)}/selfhosted` },
    })
    try {
      const ada = createClient(server.url, server.keys.ANON_KEY)
      assert.equal((await ada.auth.signInWithPassword({ email: 'ada@hosted.test', password: 'correct horse' })).error, null)
      assert.deepEqual((await ada.from('notes').select('text')).data, [{ text: 'of Ada' }])
      assert.deepEqual((await ada.storage.from('files').list(ADA)).data.map((object) => object.name), ['note.txt'])
      const { rows } = await inside.query('select count(*)::int as ledger from auth.schema_migrations')
      assert.deepEqual(rows, [{ ledger: 3 }])
    } finally {
      await server.stop()
      await inside.end()
    }
  })

  test('full dump restores only the project’s own objects', async () => {
    await asOwner(platform, `create table public.things (id int primary key); insert into public.things values (7);
      alter publication supabase_realtime add table public.things; create extension citext with schema extensions;
      create table public.words (word extensions.citext); insert into public.words values ('Word');
      create schema own; create table own.kept (id int); insert into own.kept values (1);
      select cron.schedule('there', '* * * * *', 'select 1')`)
    const dump = join(scratch.path, 'whole.dump')
    const owner = `host=${platform.dataDir}/run user=supabase_admin dbname=postgres`
    await promisify(execFile)(join(programs(platform), 'pg_dump'), ['--format=custom', `--file=${dump}`, `--dbname=${owner}`])
    const folder = join(scratch.path, 'empty')
    mkdirSync(join(folder, 'supabase'), { recursive: true })
    const data = join(scratch.path, 'data')
    mkdirSync(data, { mode: 0o755 })
    const { code, output } = await run('db', 'take-over', dump, folder, '--data-dir', data)
    assert.equal(code, 0, output)
    const server = await startServer({ name: 'supabase-compat', command: 'up', args: [folder], dataDir: data })
    try {
      const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
      assert.deepEqual((await service.from('things').select()).data, [{ id: 7 }])
      assert.deepEqual(await asOwner(server, "select word::text from public.words where word = 'WORD'"), [{ word: 'Word' }])
      assert.deepEqual(await asOwner(server, 'select id from own.kept'), [{ id: 1 }])
      const tables = await asOwner(server, "select tablename::text as name from pg_publication_tables where pubname = 'supabase_realtime'")
      assert.deepEqual(tables, [{ name: 'things' }])
      assert.deepEqual(await asOwner(server, 'select jobname from cron.job'), [], 'jobs are made again by migrations or by hand')
    } finally {
      await server.stop()
    }
  })
})
