// The official CLI from npm with --db-url, against a project that `supabase-compat up` serves.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { runCommand } from '../support/command.mjs'
import { PROJECTS } from '../support/project.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'

const require = createRequire(import.meta.url)
const CLI = join(dirname(require.resolve('@supabase/cli-linux-x64/package.json')), 'bin/supabase')

let scratch
let dir
let data
let server
let url

/** Runs a CLI command in the project's folder; resolves with its exit code and whole output. */
const cli = (...args) =>
  new Promise((resolve) => {
    const env = { ...process.env, HOME: scratch.path, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' }
    const all = [...args, '--db-url', `${url}?sslmode=disable`, '--workdir', dir, '--yes']
    execFile(CLI, all, { timeout: 60_000, env }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, output: stdout + stderr }),
    )
  })
const works = async (...args) => {
  const result = await cli(...args)
  assert.equal(result.code, 0, `${args.join(' ')}: ${result.output}`)
  return result
}

before(async () => {
  scratch = scratchFolder()
  dir = join(scratch.path, 'notes')
  data = join(scratch.path, 'data')
  cpSync(join(PROJECTS, 'notes'), dir, { recursive: true })
  mkdirSync(data, { mode: 0o755 })
  server = await startServer({ name: 'supabase-compat', command: 'up', args: [dir], dataDir: data, isPrepared: true })
  const status = await runCommand('supabase-compat', ['status', '-o', 'json', '--port', new URL(server.url).port, '--data-dir', data, dir])
  url = JSON.parse(status.stdout).DB_URL
})
after(async () => {
  await server?.stop()
  scratch?.remove()
})

describe('the official CLI by --db-url', () => {
  test('lists, repairs, pushes and applies migrations', async () => {
    const [version] = readdirSync(join(dir, 'supabase/migrations')).sort()[0].split('_')
    assert.match((await works('migration', 'list')).output, new RegExp(version))
    await works('migration', 'repair', version, '--status', 'reverted')
    const ours = await runCommand('supabase-compat', ['migration', 'list', '--data-dir', data, dir])
    assert.match(ours.stdout, new RegExp(`^${version}\\s+\\D`, 'm'))
    await works('migration', 'repair', version, '--status', 'applied')
    writeFileSync(join(dir, 'supabase/migrations/20990101000000_pushed.sql'), 'create table pushed (id int primary key);')
    assert.match((await works('db', 'push', '--dry-run')).output, /20990101000000_pushed/)
    await works('db', 'push')
    writeFileSync(join(dir, 'supabase/migrations/20990102000000_upped.sql'), 'create table upped (id int primary key);')
    await works('migration', 'up')
    const listed = await runCommand('supabase-compat', ['migration', 'list', '--data-dir', data, dir])
    assert.match(listed.stdout, /^20990102000000\s+20990102000000\s+upped$/m)
  })

  test('inspects the database with our command’s headings', async () => {
    for (const report of ['table-stats', 'index-stats', 'locks', 'blocking', 'long-running-queries', 'role-stats', 'vacuum-stats', 'bloat', 'replication-slots', 'traffic-profile', 'db-stats']) {
      const theirs = await works('inspect', 'db', report)
      const ours = await runCommand('supabase-compat', ['inspect', 'db', report, '--data-dir', data, dir])
      assert.equal(ours.code, 0, ours.output)
      const headings = ours.stdout.split('\n')[0].split('|').map((heading) => heading.trim())
      for (const heading of headings) assert.ok(theirs.output.toLowerCase().includes(heading.toLowerCase()), `${report}: ${heading} is not in\n${theirs.output}`)
    }
  })

  test('makes types', async () => {
    assert.match((await works('gen', 'types')).stdout, /pushed"?: \{/)
  })

  test('cannot lint without plpgsql_check', async () => {
    const { code, output } = await cli('db', 'lint')
    assert.deepEqual([code !== 0, /plpgsql_check/.test(output)], [true, true], output)
  })
})
