// A start that cannot succeed prints one sentence with a remedy, exits with a code, and changes nothing.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { runCommand } from '../support/command.mjs'
import { binary, scratchFolder, startServer } from '../support/server.mjs'

let scratch
let data

before(() => {
  scratch = scratchFolder()
  data = join(scratch.path, 'data')
})
after(() => scratch.remove())

const isRoot = process.getuid() === 0
const skip = isRoot ? false : 'only root may mount a file system'

/** Runs `serve` on the folder; `mount` is a shell command run in a mount namespace of its own, with the folder as `$1`. */
function serve(args = [], { env = {}, mount, folder = data } = {}) {
  const within = mount ? ['unshare', '--mount', 'sh', '-c', `${mount} && shift && exec "$@"`, 'sh', folder] : []
  return runCommand('supabase-compat', ['serve', '--port', '0', '--data-dir', folder, ...args], { env, within })
}

/** Asserts that the command failed and that the last line of stderr matches the sentence. */
function assertRefused({ code, stderr }, sentence) {
  assert.equal(code, 1, stderr)
  const last = stderr.trimEnd().split('\n').at(-1)
  assert.match(last, sentence)
}

async function holdPort() {
  const holder = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  return { port: String(holder.address().port), close: () => holder.close() }
}

test('taken port is refused before data is created', async () => {
  const held = await holdPort()
  const refused = await runCommand('supabase-compat', ['serve', '--port', held.port, '--data-dir', data])
  held.close()
  assertRefused(refused, /^cannot listen on 127\.0\.0\.1:\d+: Address already in use .*; stop what listens there, or choose another port/)
  assert.ok(!existsSync(data))
})

test('a taken database port leaves no folder behind', async () => {
  const held = await holdPort()
  const refused = await serve(['--db-port', held.port], { env: { POSTGRES_PASSWORD: 'secret' } })
  held.close()
  assertRefused(refused, /^PostgreSQL cannot listen at 127\.0\.0\.1:\d+: .*; stop what does, or choose another port/)
  assert.ok(!existsSync(data))
})

test('full disk is refused before data is created', { skip }, async () => {
  mkdirSync(data)
  const refused = await serve([], { mount: 'mount -t tmpfs -o size=30m,mode=755 none "$1"' })
  assertRefused(refused, /^the data folder \S+ has \d+ MB left and PostgreSQL needs \d+ MB; free some, or choose a folder on another disk/)
  assert.deepEqual(readdirSync(data), [])
})

test('unwritable data folder is named in the error', { skip }, async () => {
  const refused = await serve([], { mount: 'mount -t tmpfs -o ro,mode=755 none "$1"' })
  assertRefused(refused, /^the data folder \S+ cannot be used: \S+: .*Read-only file system.*; make it writable for this account or choose another/)
})

test('PostgreSQL for another processor is refused', async () => {
  const programs = join(scratch.path, 'programs')
  mkdirSync(programs)
  // The ELF header of a program for another processor: x86-64 on AArch64, otherwise AArch64.
  const machine = process.arch === 'arm64' ? 62 : 183
  const head = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0])
  for (const name of ['postgres', 'initdb']) writeFileSync(join(programs, name), head, { mode: 0o755 })
  const folder = join(scratch.path, 'foreign')
  const refused = await serve([], { env: { PG_BINDIR: programs }, folder })
  assertRefused(refused, /^no PostgreSQL 14 or later was found in \S+: `postgres` is built for \w+ and this machine is \w+; PG_BINDIR must name/)
  assert.ok(!existsSync(folder))
})

test('missing PostgreSQL is reported when installation fails', { skip }, async (context) => {
  const withoutRights = ['--reuid=65534', '--regid=65534', '--clear-groups']
  const reached = spawnSync('setpriv', [...withoutRights, 'test', '-x', binary('supabase-compat')])
  if (reached.status !== 0) return context.skip('the account of others does not reach the program')
  const home = join(scratch.path, 'home')
  mkdirSync(home, { mode: 0o777 })
  // Runs under another account, because as root the program would install Debian's package.
  const folder = join(home, 'data')
  const script = `{ [ ! -d /usr/lib/postgresql ] || mount -t tmpfs none /usr/lib/postgresql; } && chmod 777 "$1" && shift && exec setpriv ${withoutRights.join(' ')} "$@"`
  const refused = await runCommand('supabase-compat', ['serve', '--port', '0', '--data-dir', folder], {
    env: { HOME: home, PG_BINDIR: '' },
    within: ['unshare', '--mount', '--net', 'sh', '-c', script, 'sh', home],
  })
  assertRefused(refused, /^no PostgreSQL 14 or later was found, and installing one failed \(`npm` failed: its registry cannot be reached \(\w+\)\); install PostgreSQL with/)
  assert.ok(!existsSync(folder))
})

test('a second process on a folder is refused', async () => {
  const folder = join(scratch.path, 'both')
  const server = await startServer({ name: 'supabase-compat', dataDir: folder })
  try {
    const before = readdirSync(folder).sort()
    assertRefused(await serve([], { folder }), new RegExp(`^the data folder \\S+ is in use by process ${server.pid}; stop it or choose another folder$`))
    assert.deepEqual(readdirSync(folder).sort(), before)
    const answer = await fetch(`${server.url}/rest/v1/`, { headers: { apikey: server.keys.ANON_KEY } })
    assert.equal(answer.status, 200)
  } finally {
    await server.stop()
  }
})
