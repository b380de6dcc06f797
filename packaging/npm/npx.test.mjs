// The packages on a system that has only Node: published to a registry of this machine, then
// `npx supabase-compat up` in each folder of tests/projects. Not part of `just test`: `just dist test`.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { binariesOnTrial } from '../testing.mjs'
import { publish, startRegistry } from './registry.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const projects = join(root, 'tests/projects')
const isRoot = process.getuid() === 0

const scratch = mkdtempSync(join(tmpdir(), 'palmares-npm-'))
chmodSync(scratch, 0o755)

/** Projects that do not start, and the error of each. */
const REFUSED = {
  // One of its migrations is wrong on purpose.
  wiki: () => /20260202000000_create_links\.sql:3:12: type "biginteger" does not exist/,
  // Its extension is installed from PyPI by pip.
  vectors: () => (spawnSync('/usr/bin/python3', ['-m', 'pip', '--version']).status === 0 ? undefined : /vector/),
}

let registry
/** Node, npm and what the shell needs: no PostgreSQL, no Rust. */
const bin = join(scratch, 'bin')

before(async () => {
  mkdirSync(bin)
  registry = await startRegistry(scratch)
  publish(registry, binariesOnTrial(), scratch)
})

after(() => {
  registry?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

/** An environment with a home folder of its own, Node, and the registry. */
function environment(home) {
  mkdirSync(home, { recursive: true })
  const path = [dirname(process.execPath), '/usr/bin', '/bin']
  return { PATH: path.join(delimiter), HOME: home, TERM: 'dumb', npm_config_registry: registry.url, npm_config_update_notifier: 'false' }
}

/** A view of this machine without the system's PostgreSQL, which only root can have. */
function bare(command, args) {
  if (!isRoot || !existsSync('/usr/lib/postgresql')) return [command, args]
  return ['unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /usr/lib/postgresql && exec "$@"', 'sh', command, ...args]]
}

function start(command, args, options) {
  const [program, words] = bare(command, args)
  // A group of its own, as a terminal gives each command, so that all of it can be interrupted.
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options })
  let output = ''
  const append = (chunk) => (output += chunk)
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const ready = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('ready ') && resolve(line.slice(6)))
    ended.then(({ code }) => reject(new Error(`the command ended with ${code}:\n${output}`)))
  })
  ready.catch(() => {})
  const interrupt = () => child.exitCode ?? child.signalCode ?? process.kill(-child.pid, 'SIGINT')
  return { child, ended, ready, interrupt, output: () => output }
}

function run(command, args, options) {
  const { ended, output } = start(command, args, options)
  return ended.then((end) => ({ ...end, output: output() }))
}

describe('npx supabase-compat up', { concurrency: 1 }, () => {
  const home = join(scratch, 'home')

  for (const name of readdirSync(projects)) {
    test(`starts the project ${name}`, async () => {
      const dir = join(scratch, 'projects', name)
      cpSync(join(projects, name), dir, { recursive: true })
      const began = performance.now()
      const args = ['--yes', 'supabase-compat', 'up', '--port', '0', '--db-port', '0', '--data-dir', join(scratch, 'data', name)]
      const { ready, ended, interrupt, output } = start('npx', args, { cwd: dir, env: environment(home) })
      try {
        if (REFUSED[name]?.()) return await assert.rejects(ready, REFUSED[name]())
        const url = await ready
        console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
        const key = /anon key: (\S+)/.exec(output())[1]
        const answer = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key } })
        assert.equal(answer.status, 200)
        assert.doesNotMatch(output(), /(Downloading|Installing) PostgreSQL|fetching deno/)
        if (!isRoot) return
        assert.match(output(), /Taking PostgreSQL 18 from the package/)
        // The package's prepared database has all schemas.
        assert.doesNotMatch(output(), /Migrated the services' schemas/)
      } finally {
        interrupt()
        await ended
      }
    })
  }

  test('forwards --help and exit codes', async () => {
    const env = environment(home)
    const help = await run('npx', ['--yes', 'supabase-compat', '--help'], { cwd: scratch, env })
    assert.equal(help.code, 0, help.output)
    assert.match(help.output, /Start a project from its folder/)
    const mistake = await run('npx', ['--yes', 'supabase-compat', 'sevre'], { cwd: scratch, env })
    assert.equal(mistake.code, 2, mistake.output)
  })
})

describe('the launcher', () => {
  const home = join(scratch, 'home')
  const folder = join(scratch, 'installed')
  const launcher = join(folder, 'node_modules/.bin/supabase-compat')
  let env

  before(() => {
    env = environment(home)
    mkdirSync(folder, { recursive: true })
    execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--loglevel=error', 'supabase-compat'], { env })
  })

  const serve = () => start(launcher, ['serve', '--port', '0', '--data-dir', join(scratch, 'data/serve')], { cwd: scratch, env })

  test('forwards the signal that stops the server gracefully', async () => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      const { child, ready, ended, output } = serve()
      await ready
      child.kill(signal)
      assert.deepEqual(await ended, { code: 0, signal: null }, output())
    }
  })

  test('forwards the signal that reloads settings', async () => {
    const { child, ready, ended, output } = serve()
    const url = await ready
    child.kill('SIGUSR2')
    child.kill('SIGUSR1')
    assert.equal((await fetch(`${url}/auth/v1/health`)).status, 200, output())
    child.kill('SIGTERM')
    assert.deepEqual(await ended, { code: 0, signal: null })
  })

  test('ends like the program, also by a signal', async () => {
    const script = join(scratch, 'killed')
    writeFileSync(script, '#!/bin/sh\nkill -KILL $$\n', { mode: 0o755 })
    const end = await run(launcher, [], { env: { ...env, SUPABASE_COMPAT_BINARY: script } })
    assert.deepEqual([end.code, end.signal], [null, 'SIGKILL'])
  })

  test('explains that the platform package is missing', async () => {
    const lacking = join(scratch, 'lacking')
    mkdirSync(lacking)
    const args = ['install', '--prefix', lacking, '--no-save', '--loglevel=error', '--omit=optional', 'supabase-compat']
    execFileSync('npm', args, { env })
    const { code, output } = await run(join(lacking, 'node_modules/.bin/supabase-compat'), ['--version'], { env })
    assert.equal(code, 1)
    assert.match(output, /^supabase-compat: the package @supabase-compat\/\S+ is missing; install again without --omit=optional, on this machine itself\n$/)
  })
})
