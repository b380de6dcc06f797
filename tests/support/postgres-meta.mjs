// npm's postgres-meta beside a server of ours, on the same database.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { serve } from './project.mjs'
import { eventually, freePort } from './server.mjs'

const require = createRequire(import.meta.url)
const PROGRAM = join(dirname(require.resolve('@supabase/postgres-meta')), '../server/server.js')

/** The address of a login at the socket of the database in a server's data folder. */
export const socketUrl = (server, role = 'postgres') =>
  `postgresql://${role}@${encodeURIComponent(`${server.dataDir}/run`)}/postgres`

const PASSPHRASE = 'a passphrase of two programs'

/**
 * Runs postgres-meta without a database of its own: `of(server, role)` returns a function like `asking` for a server's
 * database and a login, and `headersOf` the headers that select them. The caller stops it.
 */
export async function startPostgresMeta() {
  const port = await freePort()
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, PG_META_HOST: '127.0.0.1', PG_META_PORT: String(port), CRYPTO_KEY: PASSPHRASE },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const answers = () => fetch(`${url}/health`).then((answer) => answer.ok, () => child.exitCode !== null)
  await eventually(answers)
  if (child.exitCode !== null) throw new Error(`postgres-meta ended with ${child.exitCode}:\n${log}`)
  const headersOf = (server, role) => ({ 'x-connection-encrypted': sealed(socketUrl(server, role), PASSPHRASE) })
  return {
    url,
    pid: child.pid,
    headersOf,
    of: (server, role) => asking(url, headersOf(server, role)),
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A text encrypted as Studio does for postgres-meta by crypto-js: AES under a passphrase, in OpenSSL's salted format. */
export function sealed(text, passphrase) {
  const salt = randomBytes(8)
  let [derived, block] = [Buffer.alloc(0), Buffer.alloc(0)]
  while (derived.length < 48) {
    block = createHash('md5').update(Buffer.concat([block, Buffer.from(passphrase), salt])).digest()
    derived = Buffer.concat([derived, block])
  }
  const cipher = createCipheriv('aes-256-cbc', derived.subarray(0, 32), derived.subarray(32))
  return Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
}

/** A function that sends requests to an address: `ask('GET', '/tables', body)` resolves with `{ status, body }`. */
export function asking(base, headers = {}) {
  return async (method, path, body) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json')
    return { status: answer.status, body: isJson ? JSON.parse(text) : text }
  }
}

/** Every route of postgres-meta as `[method, path]`, from its own API description. */
export async function routesOfPostgresMeta() {
  const env = { ...process.env, PG_META_EXPORT_DOCS: 'true', PG_META_DB_URL: 'postgresql://nobody@localhost/none' }
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env, maxBuffer: 64 * 1024 * 1024 })
  const { paths } = JSON.parse(stdout)
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path]))
}

/** Members whose values change between two reads. */
const MOVING = ['live_rows_estimate', 'dead_rows_estimate', 'bytes', 'size', 'active_connections']
/** Settings that differ between the sessions of the two programs. */
const OF_SESSIONS = ['application_name', 'client_encoding', 'statement_timeout', 'idle_session_timeout', 'extra_float_digits']
/** Lists without a guaranteed order. */
const UNORDERED = ['columns', 'relationships', 'privileges', 'events', 'tables', 'args']

/** An object's JSON without volatile members, its other members and its unordered lists sorted. */
function stillText(value, isUnordered = false) {
  if (Array.isArray(value)) {
    const texts = value.map((one) => stillText(one))
    return `[${(isUnordered ? texts.sort() : texts).join(',')}]`
  }
  if (!value || typeof value !== 'object') return JSON.stringify(value)
  const names = Object.keys(value).filter((name) => !MOVING.includes(name)).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${stillText(value[name], UNORDERED.includes(name))}`).join(',')}}`
}

/** An object of the catalogue without volatile members, its unordered lists sorted. */
export const still = (object) => JSON.parse(stillText(object))

/** Fails where two lists of objects differ, apart from volatile members and order. */
export function assertSameObjects(ours, theirs, message) {
  const texts = [ours, theirs].map((list) => {
    assert.ok(Array.isArray(list), `${message}: ${JSON.stringify(list)}`)
    return list.filter((one) => !OF_SESSIONS.includes(one?.name)).map((one) => stillText(one)).sort()
  })
  // Comparing texts takes a fraction of the time of comparing thousands of objects.
  if (texts[0].join('\n') === texts[1].join('\n')) return
  const [own, other] = texts.map((list) => list.map((text) => JSON.parse(text)))
  assert.deepEqual(own, other, message)
}

/** Serves a project, with postgres-meta on the same database; `meta` is a postgres-meta that runs already. */
export async function beside(name, { env, meta } = {}) {
  const project = await serve(name, env)
  const own = meta ? undefined : await startPostgresMeta().catch(async (error) => {
    await project.end()
    throw error
  })
  const original = meta ?? own
  return {
    project,
    ours: asking(`${project.url}/pg`, { apikey: project.server.keys.SERVICE_ROLE_KEY }),
    theirs: original.of(project.server),
    theirsAsSuperuser: original.of(project.server, 'supabase_admin'),
    async end() {
      await own?.stop()
      await project.end()
    },
  }
}

/** Every kind of catalogue object. */
export const KINDS = ['schemas', 'tables', 'columns', 'types', 'functions', 'triggers', 'indexes', 'policies', 'roles', 'publications', 'extensions', 'views', 'materialized-views', 'foreign-tables', 'table-privileges', 'column-privileges', 'config']
/** Kinds whose objects can be read one by one, by number. */
export const NUMBERED = ['schemas', 'tables', 'functions', 'triggers', 'indexes', 'policies', 'roles', 'publications', 'views', 'materialized-views', 'columns']
