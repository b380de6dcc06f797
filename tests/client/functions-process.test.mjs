// The processes of TypeScript functions: when they start, how they are isolated, how they end.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { DENO, FUNCTIONS } from '../support/deno.mjs'
import { binary, eventually, scratchFolder, startServer } from '../support/server.mjs'

const OPERATORS = 18_150

let folder
let server

/** Starts a server on a copy of the functions, so that tests can change them. */
const start = (env = {}, args = []) =>
  startServer({
    name: 'supabase-compat',
    args: ['--functions', folder.path, ...args],
    env: { DENO_PATH: DENO, FUNCTIONS_VERIFY_JWT: 'false', ...env },
  })

const call = (path, options = {}) => fetch(`${server.url}/functions/v1/${path}`, { method: 'POST', ...options })

async function textOf(path, options) {
  const answer = await call(path, options)
  return [answer.status, (await answer.json()).code, answer.headers.get('sb-error-code')]
}

/** Processes of deno whose functions lie in our folder, with the account they run as. */
function processes() {
  const found = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (line.includes('deno') && line.includes(folder.path)) found.push({ pid: Number(pid), uid: statSync(`/proc/${pid}`).uid })
    } catch {
      // The process ended in the meantime.
    }
  }
  return found
}

const operators = async () => {
  const { functions } = await (await fetch(`http://localhost:${OPERATORS}/functions`)).json()
  return Object.fromEntries(functions.map((of) => [of.name, of]))
}

before(() => {
  folder = scratchFolder()
  cpSync(FUNCTIONS, folder.path, { recursive: true })
})
after(() => folder.remove())

describe('with a server', () => {
  before(async () => {
    server = await start({ FUNCTIONS_CPU_LIMIT: '1s', FUNCTIONS_MAX_CALLS: '8', FUNCTIONS_MEMORY_LIMIT: '128' }, [
      '--admin-port',
      String(OPERATORS),
    ])
  })
  after(() => server.stop())

  test('many first calls start one process', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('form')))
    assert.deepEqual(answers.map((answer) => answer.status), Array(8).fill(200))
    assert.equal((await operators()).form.process.starts, 1)
  })

  test('root server runs functions as non-root', () => {
    const owners = processes().map(({ uid }) => uid)
    assert.ok(owners.length > 0)
    if (process.getuid() === 0) assert.ok(owners.every((uid) => uid !== 0), String(owners))
  })

  test('fixed function starts without a server restart', async () => {
    assert.deepEqual(await textOf('broken'), [503, 'BOOT_ERROR', 'BOOT_ERROR'])
    assert.deepEqual(await textOf('broken'), [503, 'BOOT_ERROR', 'BOOT_ERROR'])
    writeFileSync(join(folder.path, 'broken/missing.ts'), 'export const nothing = "mended"')
    await eventually(async () => (await (await call('broken')).text()) === 'mended')
  })

  test('changed files and secrets reload the function', async () => {
    const word = async () => (await (await call('mapped')).json()).word
    assert.equal(await word(), 'mapped')
    writeFileSync(join(folder.path, 'mapped/words.ts'), 'export const WORD = "changed"')
    await eventually(async () => (await word()) === 'changed')
    const shared = join(folder.path, '_shared/cors.ts')
    writeFileSync(shared, readFileSync(shared, 'utf8').replaceAll('app.example', 'other.example'))
    await eventually(async () => (await (await call('mapped')).json()).origin === 'https://other.example')
    writeFileSync(join(folder.path, '.env'), 'MY_SECRET="another one entirely"')
    await eventually(async () => (await (await call('secrets')).json()).mine === 'another one entirely')
  })

  test('background work begun before a change is finished', async () => {
    assert.equal((await call('background?work=600')).status, 200)
    writeFileSync(join(folder.path, 'background/more.ts'), '')
    await eventually(async () => (await (await call('background')).json()).done === 0 && processes().length > 0)
    // The server checks the files only on a call.
    await eventually(async () => (await call('background')).ok && server.log().includes('leaving: termination'))
    await eventually(() => server.log().includes('background work is done'))
  })

  test('throwing function answers 500 and keeps serving', async () => {
    const answer = await call('misbehaves/throw')
    assert.deepEqual([answer.status, answer.headers.get('sb-error-code')], [500, 'EDGE_FUNCTION_ERROR'])
    assert.equal((await call('misbehaves')).status, 200)
  })

  test('crashes, leaks and endless loops fail alone', async () => {
    const steady = (async () => {
      for (let attempt = 0; attempt < 40; attempt++) assert.equal((await call('form')).status, 200)
    })()
    for (const [path, ...expected] of [
      ['exit', 500, 'WORKER_ERROR', 'WORKER_ERROR'],
      ['reject', 500, 'WORKER_ERROR', 'WORKER_ERROR'],
      ['leak', 546, 'WORKER_LIMIT', 'WORKER_LIMIT'],
      ['buffers', 546, 'WORKER_LIMIT', 'WORKER_LIMIT'],
      ['spin', 546, 'WORKER_LIMIT', 'WORKER_LIMIT'],
    ]) {
      assert.deepEqual(await textOf(`misbehaves/${path}`), expected, path)
      assert.equal(await (await call('misbehaves')).text(), 'well')
    }
    await steady
    const { ends } = (await operators()).misbehaves.process
    assert.deepEqual(ends, { cpu: 1, crashed: 2, memory: 2 })
  })

  test('a truncated answer is not taken for complete', async () => {
    const answer = await call('misbehaves/half')
    await assert.rejects(answer.text())
  })

  test('flood of output is truncated in the log', async () => {
    const flood = call('misbehaves/flood')
    assert.equal((await call('form')).status, 200)
    assert.equal(await (await flood).text(), 'flooded')
    assert.equal((await call('misbehaves/long-line')).status, 200)
    const args = ['functions', 'logs', 'misbehaves', '-n', '100000', '--data-dir', server.dataDir]
    const log = execFileSync(binary('supabase-compat'), args, { maxBuffer: 64 << 20 }).length
    assert.ok(log > 0 && log < 2_500_000, String(log))
  })

  test('calls beyond a function’s limit are refused', async () => {
    const leave = new AbortController()
    // As many calls as the limit allows. A call that is refused because a request below counts too is retried.
    const hang = async () => {
      while (!leave.signal.aborted) await call('misbehaves/hang', { signal: leave.signal }).catch(() => {})
    }
    const hanging = Array.from({ length: 8 }, hang)
    await eventually(async () => (await call('misbehaves')).status === 546)
    assert.equal((await call('form')).status, 200)
    leave.abort()
    await Promise.all(hanging)
    await eventually(async () => (await call('misbehaves')).status === 200)
  })

  test('a removed function is not found', async () => {
    cpSync(join(folder.path, 'mapped'), join(folder.path, 'later'), { recursive: true })
    await eventually(async () => (await call('later')).status === 200)
    execFileSync('rm', ['-r', join(folder.path, 'later')])
    assert.deepEqual(await textOf('later'), [404, 'NOT_FOUND', 'NOT_FOUND'])
  })

  test('metrics report calls, starts, ends and memory', async () => {
    const metrics = await (await fetch(`http://localhost:${OPERATORS}/metrics`)).text()
    assert.match(metrics, /^functions_calls_total\{function="misbehaves",status="546"\} \d+$/m)
    assert.match(metrics, /^functions_process_starts_total\{function="form"\} [1-9]\d*$/m)
    assert.match(metrics, /^functions_process_ends_total\{function="misbehaves",reason="memory"\} 2$/m)
    assert.match(metrics, /^functions_memory_bytes\{function="form"\} [1-9]\d+$/m)
    assert.equal((await operators()).form.last_status, 200)
  })

  test('the command lists functions and prints their output', () => {
    const functionsOutput = (...args) => execFileSync(binary('supabase-compat'), ['functions', ...args], { encoding: 'utf8' })
    const list = functionsOutput('list', '--functions', folder.path)
    assert.match(list, /^hello +token +\S+\/hello\/index\.ts$/m)
    assert.doesNotMatch(list, /_shared/)
    const log = functionsOutput('logs', 'background', '--data-dir', server.dataDir)
    assert.match(log, /^background \S+Z log {3}background work is done$/m)
  })
})

test('no function process outlives a killed server', async () => {
  server = await start()
  assert.equal((await call('form')).status, 200)
  assert.equal((await call('background?work=60000')).status, 200)
  assert.equal(processes().length, 2)
  await server.kill()
  await eventually(() => processes().length === 0)
  await server.stop()
})

test('idle process ends and restarts on a call', async () => {
  server = await start({ FUNCTIONS_IDLE_TIMEOUT: '1s' })
  assert.equal((await call('form')).status, 200)
  await eventually(() => processes().length === 0)
  assert.equal((await call('form')).status, 200)
  await server.stop()
  assert.equal(processes().length, 0)
})

test('process limit ends an idle process', async () => {
  server = await start({ FUNCTIONS_MAX_PROCESSES: '1' })
  assert.equal((await call('form')).status, 200)
  assert.equal((await call('background')).status, 200)
  assert.equal(processes().length, 1)
  await server.stop()
})

test('a call beyond the wall-clock limit is aborted', async () => {
  server = await start({ FUNCTIONS_WALL_CLOCK_LIMIT: '1s', FUNCTIONS_REQUEST_TIMEOUT: '1s' })
  const endless = await call('stream?endless')
  await assert.rejects(endless.text())
  assert.deepEqual(await textOf('misbehaves/hang'), [504, 'IDLE_TIMEOUT', 'IDLE_TIMEOUT'])
  await server.stop()
})

test('calls are refused without Deno', async () => {
  server = await start({ DENO_PATH: '/nowhere/deno' })
  const answer = await call('hello')
  assert.equal(answer.status, 503)
  assert.deepEqual(await answer.json(), {
    code: 'BOOT_ERROR',
    message: 'Functions in TypeScript need deno, which is not there (please check logs)',
  })
  assert.equal((await fetch(`${server.url}/auth/v1/health`)).status, 200)
  assert.match(server.log(), /DENO_PATH names \/nowhere\/deno/)
  await server.stop()
})

test('config.toml’s settings apply to each function', async () => {
  const project = scratchFolder()
  cpSync(FUNCTIONS, join(project.path, 'functions'), { recursive: true })
  writeFileSync(
    join(project.path, 'config.toml'),
    `[functions.hello]
     verify_jwt = false
     [functions.cors]
     enabled = false
     [functions.elsewhere]
     verify_jwt = false
     entrypoint = "./functions/mapped/index.ts"
     import_map = "./functions/mapped/deno.json"`,
  )
  server = await startServer({
    name: 'supabase-compat',
    args: ['--config', join(project.path, 'config.toml')],
    env: { DENO_PATH: DENO },
  })
  try {
    const body = JSON.stringify({ name: 'Ada' })
    assert.deepEqual(await (await call('hello', { body })).json(), { message: 'Hello Ada!' })
    assert.deepEqual(await textOf('form'), [401, 'UNAUTHORIZED_NO_AUTH_HEADER', 'UNAUTHORIZED_NO_AUTH_HEADER'])
    assert.deepEqual(await textOf('cors'), [404, 'NOT_FOUND', 'NOT_FOUND'])
    assert.equal((await (await call('elsewhere')).json()).word, 'mapped')
  } finally {
    await server.stop()
    project.remove()
  }
})
