// First starts from the database that a package contains: the same as from `initdb` and the migrations.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { runCommand } from '../support/command.mjs'
import { asOwner } from '../support/database.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'

/** Relations, functions, roles and settings, without the numbers that PostgreSQL gives them. */
const CATALOG = `
  select 'relation' as kind, n.nspname || '.' || c.relname as name, c.relkind::text || c.relrowsecurity as form,
         pg_get_userbyid(c.relowner) as owner, c.relacl::text as acl
  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema')
  union all
  select 'function', p.oid::regprocedure::text, md5(p.prosrc), pg_get_userbyid(p.proowner), p.proacl::text
  from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
  where n.nspname not in ('pg_catalog', 'information_schema')
  union all
  select 'schema', nspname, null, pg_get_userbyid(nspowner), nspacl::text from pg_namespace where nspname !~ '^pg_'
  union all
  select 'role', rolname, concat_ws(' ', rolsuper, rolinherit, rolcanlogin, rolbypassrls, rolreplication), null, rolconfig::text
  from pg_roles
  union all
  select 'member', pg_get_userbyid(roleid), pg_get_userbyid(member), pg_get_userbyid(grantor), admin_option::text
  from pg_auth_members
  union all
  select 'setting', coalesce(d.datname, '*'), s.setconfig::text, case when s.setrole <> 0 then pg_get_userbyid(s.setrole) end, null
  from pg_db_role_setting as s left join pg_database as d on d.oid = s.setdatabase
  union all
  select 'collation', collname, collprovider::text, null, null from pg_collation
  union all
  select 'configuration', name, setting, null, null from pg_settings where name in ('TimeZone', 'lc_messages', 'data_checksums')
  order by 1, 2, 3, 4, 5`

for (const name of ['supabase-compat', 'palmares'])
  describe(`a prepared database of ${name}`, () => {
    const scratch = scratchFolder()
    const archive = join(scratch.path, 'cluster.tar.gz')
    const servers = []

    async function start(folder, env) {
      const dataDir = join(scratch.path, folder)
      mkdirSync(dataDir)
      const server = await startServer({ name, dataDir, env })
      servers.push(server)
      return server
    }

    before(async () => {
      const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
      const { code, output } = await runCommand(name, ['prepare-cluster', archive], { env })
      assert.equal(code, 0, output)
    })
    after(async () => {
      await Promise.all(servers.map((server) => server.stop()))
      scratch.remove()
    })

    test('is refused over existing or unwritable paths', async () => {
      mkdirSync(join(scratch.path, 'taken.data'))
      const taken = await runCommand(name, ['prepare-cluster', join(scratch.path, 'taken.gz')])
      assert.equal(taken.code, 1)
      assert.match(taken.output, /taken\.data exists already; remove it first/)
      writeFileSync(join(scratch.path, 'file'), '')
      const nowhere = await runCommand(name, ['prepare-cluster', join(scratch.path, 'file/cluster.tar.gz')])
      assert.equal(nowhere.code, 1)
      assert.match(nowhere.output, /the data folder .*file\/cluster\.tar\.data cannot be used/)
    })

    test('is one small file', () => {
      assert.ok(statSync(archive).size < 4_000_000)
      assert.equal(existsSync(join(scratch.path, 'cluster.tar.data')), false)
    })

    test('equals the database of a start without it', async () => {
      const [prepared, migrated] = await Promise.all([
        start('prepared', { PG_CLUSTER_ARCHIVE: archive }),
        start('migrated', { PG_CLUSTER_ARCHIVE: '' }),
      ])
      assert.doesNotMatch(prepared.log(), /schemas migrated|already been granted/)
      assert.match(migrated.log(), /schemas migrated/)
      const answers = await fetch(`${prepared.url}/auth/v1/settings`, { headers: { apikey: prepared.keys.ANON_KEY } })
      assert.equal(answers.status, 200)

      // The console's schema is in every archive; `serve` makes it only where the console is served.
      const catalog = async (server) =>
        (await asOwner(server, CATALOG)).filter(({ name }) => !name.startsWith('_console') && name !== 'console_writer')
      assert.deepEqual(await catalog(prepared), await catalog(migrated))
    })

    test('gives each start keys of its own', async () => {
      const [one, two] = await Promise.all(['one', 'two'].map((folder) => start(folder, { PG_CLUSTER_ARCHIVE: archive })))
      assert.notEqual(one.keys.SERVICE_ROLE_KEY, two.keys.SERVICE_ROLE_KEY)
      const identifiers = await Promise.all([one, two].map((server) => asOwner(server, 'select system_identifier from pg_control_system()')))
      assert.notDeepEqual(identifiers[0], identifiers[1])
      if (name === 'supabase-compat') {
        const secrets = await asOwner(one, `select vault.create_secret('from this project', 'prepared') is not null as kept`)
        assert.deepEqual(secrets, [{ kept: true }])
        const read = await asOwner(one, `select decrypted_secret from vault.decrypted_secrets where name = 'prepared'`)
        assert.deepEqual(read, [{ decrypted_secret: 'from this project' }])
      }
    })
  })
