// A program of another version on a data folder: pending changes, refusals, and the state after a failed migration.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { runCommand } from '../support/command.mjs'
import { asOwner, asOwnerOfStopped } from '../support/database.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'

const migrations = readdirSync(new URL('../../sql/migrations', import.meta.url)).filter((name) => name.endsWith('.sql'))
const LAST = migrations.sort().at(-1)
const LAST_OF_AUTH = '20261122001100'

const check = (dataDir, name = 'palmares') => runCommand(name, ['upgrade-check', '--data-dir', dataDir])
const migrate = (dataDir, name = 'palmares') => runCommand(name, ['migrate', '--data-dir', dataDir])

/** Recorded migrations and tables of the services and the site, read without migrating them. */
const state = (dataDir) =>
  asOwnerOfStopped(
    dataDir,
    `select (select array_agg(version order by version) from auth.compat_migrations) as auth,
            (select array_agg(version order by version) from public.compat_migrations) as site,
            to_regclass('auth.mail_queue')::text as queue, to_regclass('public.page_errors')::text as errors`,
  )

describe('a folder that has no data', () => {
  for (const name of ['palmares', 'supabase-compat']) {
    test(`is not created by ${name}’s upgrade check`, async () => {
      const scratch = scratchFolder()
      const folder = join(scratch.path, 'none')
      try {
        const { code, output } = await check(folder, name)
        assert.equal(code, 0, output)
        assert.match(output, /^database +none yet/m)
        assert.equal(existsSync(folder), false)
      } finally {
        scratch.remove()
      }
    })
  }
})

describe('a folder of this version', () => {
  for (const name of ['palmares', 'supabase-compat']) {
    test(`is up to date for ${name}`, async () => {
      const scratch = scratchFolder()
      let server
      try {
        server = await startServer({ name, dataDir: scratch.path })
        const served = await check(scratch.path, name)
        assert.equal(served.code, 0, served.output)
        assert.match(served.output, /^auth +up to date$/m)
        const { version } = await (await fetch(`${server.url}/health`)).json()
        assert.match(served.output, new RegExp(`format 1, last started by ${version}$`, 'm'))
        await server.stop()
        const before = readFileSync(join(scratch.path, 'format.json'), 'utf8')
        const idle = await check(scratch.path, name)
        assert.equal(idle.code, 0, idle.output)
        assert.equal(readFileSync(join(scratch.path, 'format.json'), 'utf8'), before)
      } finally {
        scratch.remove()
      }
    })
  }
})

describe('a folder of another version', () => {
  let scratch
  let server

  /** Runs SQL as the owner while the site runs, and stops it. */
  async function leave(sql) {
    server = await startServer({ dataDir: scratch.path })
    await asOwner(server, sql)
    await server.stop()
  }

  before(async () => {
    scratch = scratchFolder()
    server = await startServer({ dataDir: scratch.path })
    await server.stop()
  })
  after(() => scratch.remove())

  test('is checked for pending changes without applying them', async () => {
    await leave(
      `drop table public.page_errors cascade; delete from public.compat_migrations where version = ${LAST.split('_')[0]};
       update public.compat_repeatable set checksum = '' where file = 'repeatable/servers_public.sql'`,
    )
    for (const _ of [1, 2]) {
      const { code, output } = await check(scratch.path)
      assert.equal(code, 100, output)
      assert.match(output, /^public +1 migration, 1 changed file$/m)
      assert.match(output, new RegExp(`^ +migrations/${LAST}$`, 'm'))
      assert.match(output, /^ +repeatable\/servers_public\.sql$/m)
      assert.match(output, /^auth +up to date$/m)
    }
    assert.equal((await migrate(scratch.path)).code, 0)
    assert.equal((await check(scratch.path)).code, 0)
  })

  test('is unchanged after a failed migration', async () => {
    // The migration of auth/v1 would succeed; the site's fails, because its table exists.
    await leave(
      `drop table auth.mail_queue cascade; delete from auth.compat_migrations where version = ${LAST_OF_AUTH};
       delete from public.compat_migrations where version = ${LAST.split('_')[0]}`,
    )
    const { code, output } = await migrate(scratch.path)
    assert.equal(code, 1, output)
    assert.match(output, new RegExp(`public/migrations/${LAST}.*"page_errors" already exists`))
    assert.match(output, /the database is as it was: start version [0-9.]+ of this program.*or restore a backup/)
    const [left] = await state(scratch.path)
    assert.equal(left.queue, null)
    assert.ok(!left.auth.includes(LAST_OF_AUTH))
    const pending = await check(scratch.path)
    assert.match(pending.output, /^auth +1 migration, 0 changed files$/m)
    assert.match(pending.output, /^public +1 migration, 0 changed files$/m)
  })

  test('serves again once the cause is removed', async () => {
    await asOwnerOfStopped(scratch.path, 'drop table public.page_errors cascade')
    assert.equal((await migrate(scratch.path)).code, 0)
    assert.equal((await check(scratch.path)).code, 0)
  })
})

describe('a folder of a newer version', () => {
  let scratch
  before(async () => {
    scratch = scratchFolder()
    await (await startServer({ dataDir: scratch.path })).stop()
  })
  after(() => scratch.remove())

  test('is refused by check and start, unchanged', async () => {
    const server = await startServer({ dataDir: scratch.path })
    await asOwner(
      server,
      `delete from auth.compat_migrations where version = ${LAST_OF_AUTH}; drop table auth.mail_queue cascade;
       insert into public.compat_migrations (version, description, success, checksum, execution_time)
       values (299901010000, 'later', true, '', 0)`,
    )
    await server.stop()
    const before = await state(scratch.path)
    for (const run of [check, migrate]) {
      const { code, output } = await run(scratch.path)
      assert.equal(code, 1, output)
      assert.match(output, /migration 299901010000 was applied by a newer version of this program.*start that version/)
    }
    assert.deepEqual(await state(scratch.path), before)
  })

  test('is refused for a newer data format', async () => {
    const file = join(scratch.path, 'format.json')
    const newer = '{"format":99,"program":"9.8.7"}'
    writeFileSync(file, newer)
    for (const run of [check, migrate]) {
      const { code, output } = await run(scratch.path)
      assert.equal(code, 1, output)
      assert.match(output, /has format 99, which version 9\.8\.7 of this program wrote.*start version 9\.8\.7 or a later one/)
    }
    assert.equal(readFileSync(file, 'utf8'), newer)
  })
})
