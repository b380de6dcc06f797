// The first minute after an installation: an empty project, the output of its start, and the checks before it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { killAtLine, linesUntilReady, runCommand } from '../support/command.mjs'
import { freePort, scratchFolder, startAfterKill } from '../support/server.mjs'
import { startMailServer } from '../support/smtp.mjs'

const compat = (args, options) => runCommand('supabase-compat', args, options)

describe('an empty project', () => {
  let scratch
  let dir
  let data

  before(() => {
    scratch = scratchFolder()
    dir = join(scratch.path, 'my-app')
    data = join(scratch.path, 'data')
  })
  after(() => scratch.remove())

  test('is created only once by init', async () => {
    const { code, output } = await compat(['init', dir])
    assert.equal(code, 0, output)
    const config = join(dir, 'supabase/config.toml')
    assert.match(readFileSync(config, 'utf8'), /^project_id = "my-app"$/m)
    assert.ok(existsSync(join(dir, 'supabase/migrations')))
    writeFileSync(config, 'project_id = "mine"\n')
    const again = await compat(['init', dir])
    assert.equal(again.code, 1)
    assert.match(again.output, /is there already.*nothing was changed/)
    assert.equal(readFileSync(config, 'utf8'), 'project_id = "mine"\n')
  })

  test('is checked before its start, which creates nothing', async () => {
    const ports = ['--port', String(await freePort()), '--db-port', String(await freePort())]
    const { code, output } = await compat(['doctor', dir, '--data-dir', data, ...ports])
    assert.equal(code, 0, output)
    for (const subject of ['program', 'data folder', 'database', 'port', 'database port', 'clock', 'mail']) {
      assert.match(output, new RegExp(`^ok +${subject} `, 'm'))
    }
    assert.ok(!existsSync(data))
  })

  test('prints steps, addresses and keys at start', async () => {
    writeFileSync(join(dir, 'supabase/migrations/20260101000000_create_notes.sql'), 'create table notes (id int);')
    const args = ['up', dir, '--data-dir', data, '--port', '0', '--db-port', '0']
    const first = await linesUntilReady('supabase-compat', args)
    let examined
    try {
      examined = await compat(['doctor', dir, '--data-dir', data])
      const url = first.lines.find((line) => line.includes('Mailbox URL')).split(': ')[1]
      assert.equal((await fetch(url)).status, 200)
    } finally {
      await first.stop()
    }
    assert.match(examined.output, new RegExp(`^ok +data folder .*in use by process ${first.pid}$`, 'm'))
    const expected = [
      /^Initialising a PostgreSQL [\d.]+ database$/,
      /^Starting PostgreSQL [\d.]+$/,
      /^Migrated the services' schemas: \d+ files$/,
      /^Applying migration 20260101000000_create_notes\.sql\.\.\.$/,
      /^Seeding data from supabase\/seed\.sql\.\.\.$/,
      /^Started in [\d.]+ s\.$/,
      /^ +API URL: http:\/\/127\.0\.0\.1:\d+$/,
      /^ +Database URL: postgresql:\/\/postgres:postgres@127\.0\.0\.1:\d+\/postgres$/,
      /^ +Mailbox URL: http:\/\/127\.0\.0\.1:\d+\/mailbox$/,
      /^ +Publishable key: sb_publishable_/,
      /^ +Secret key: sb_secret_/,
      /^ +anon key: ey/,
      /^service_role key: ey/,
      /^ready http:/,
    ]
    const found = expected.map((line) => first.lines.findIndex((text) => line.test(text)))
    assert.deepEqual(found, found.toSorted((one, other) => one - other), first.lines.join('\n'))
    assert.ok(!found.includes(-1), first.lines.join('\n'))
    const again = await linesUntilReady('supabase-compat', args)
    await again.stop()
    for (const line of [/^Initialising/, /^Migrated/, /^Applying/, /^Seeding/]) {
      assert.ok(!again.lines.some((text) => line.test(text)), again.lines.join('\n'))
    }
  })
})

describe('a first start that is killed', () => {
  for (const at of ['Initialising', 'Starting', 'Migrated', 'Applying']) {
    test(`during "${at}" is completed by the next start`, async () => {
      const scratch = scratchFolder()
      try {
        const [dir, data] = [join(scratch.path, 'app'), join(scratch.path, 'data')]
        mkdirSync(join(dir, 'supabase/migrations'), { recursive: true })
        writeFileSync(join(dir, 'supabase/config.toml'), 'project_id = "killed"\n')
        writeFileSync(join(dir, 'supabase/migrations/20260101000000_create_notes.sql'), 'create table notes (id int);')
        const args = ['up', dir, '--data-dir', data, '--port', '0', '--db-port', '0']
        await killAtLine('supabase-compat', args, (line) => line.startsWith(at))
        const next = await startAfterKill(() => linesUntilReady('supabase-compat', args))
        try {
          const [url, key] = [/^ready (.*)/, /Secret key: (.*)/].map((pattern) => next.lines.find((line) => pattern.test(line)).match(pattern)[1])
          const notes = await fetch(`${url}/rest/v1/notes`, { headers: { apikey: key } })
          assert.deepEqual([notes.status, await notes.json()], [200, []])
        } finally {
          await next.stop()
        }
      } finally {
        scratch.remove()
      }
    })
  }
})

describe('obstacles to a start', () => {
  let scratch

  before(() => (scratch = scratchFolder()))
  after(() => scratch.remove())

  const doctor = (args, env = {}) => compat(['doctor', scratch.path, '--data-dir', join(scratch.path, 'data'), ...args], { env })

  test('a taken port is named, with a remedy', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address()
    const { code, output } = await doctor(['--port', String(port)])
    holder.close()
    assert.equal(code, 1)
    assert.match(output, new RegExp(`^PROBLEM +port +cannot listen on 127\\.0\\.0\\.1:${port}: .*choose another port`, 'm'))
    assert.match(output, /1 of these stand in the way/)
  })

  test('an unreachable database is reported before anything starts', async () => {
    const port = await freePort()
    const { code, output } = await doctor(['--port', '0'], { DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres` })
    assert.equal(code, 1)
    assert.match(output, /^PROBLEM +database +DATABASE_URL: .*see that the server runs/m)
  })

  test('an SMTP relay is checked without a mail', async () => {
    const mail = await startMailServer()
    const good = await doctor(['--port', '0'], mail.env)
    assert.match(good.output, new RegExp(`^ok +mail +the relay 127\\.0\\.0\\.1:${mail.port} takes mails$`, 'm'))
    assert.deepEqual(mail.to('admin@site.test'), [])
    await mail.stop()
    const { code, output } = await doctor(['--port', '0'], mail.env)
    assert.equal(code, 1)
    assert.match(output, /^PROBLEM +mail +the relay .* does not take mails: .*SMTP_HOST/m)
  })

  test('invalid setting is reported by doctor', async () => {
    mkdirSync(join(scratch.path, 'supabase'), { recursive: true })
    writeFileSync(join(scratch.path, 'supabase/config.toml'), '[api]\nport = "many"\n')
    const { code, output } = await doctor([])
    assert.equal(code, 1)
    assert.match(output, /these settings cannot be used[^]*api\.port/)
  })
})

describe('the demonstration', () => {
  test('prints its steps, addresses, keys and accounts', async () => {
    const scratch = scratchFolder()
    try {
      const started = await linesUntilReady('palmares', ['serve', '--demo', '--port', '0', '--data-dir', join(scratch.path, 'data')])
      await started.stop()
      const output = started.lines.join('\n')
      for (const line of [
        /^Initialising a PostgreSQL/m,
        /^Migrated the services' schemas/m,
        /^Loading the demonstration data$/m,
        /^ +API URL: http:\/\/localhost:\d+$/m,
        /^ +Database URL: postgresql:\/\//m,
        /^ +Mailbox URL: /m,
        /^ +anon key: ey/m,
        /admin@palmares\.test/,
      ]) {
        assert.match(output, line)
      }
    } finally {
      scratch.remove()
    }
  })
})
