// npm's postgres-meta beside a server of ours, on the same database.
import { execFile, spawn } from 'node:child_process'
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

/** Runs it on the database of a server, as a login; `ask` calls it as `asking` calls ours. */
export async function startPostgresMeta(server, { role = 'postgres', env = {} } = {}) {
  const port = await freePort()
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, PG_META_HOST: '127.0.0.1', PG_META_PORT: String(port), PG_META_DB_URL: socketUrl(server, role), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const answers = () => fetch(`${url}/health`).then((answer) => answer.ok, () => child.exitCode !== null)
  await eventually(answers, { within: 60_000 })
  if (child.exitCode !== null) throw new Error(`postgres-meta ended with ${child.exitCode}:\n${log}`)
  return {
    url,
    ask: asking(url),
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A function that asks at an address: `ask('GET', '/tables', body)` gives `{ status, body }`. */
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

/** Every route that it has, as `[method, path]`, out of its own description. */
export async function routesOfPostgresMeta() {
  const env = { ...process.env, PG_META_EXPORT_DOCS: 'true', PG_META_DB_URL: 'postgresql://nobody@localhost/none' }
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env, maxBuffer: 64 * 1024 * 1024 })
  const { paths } = JSON.parse(stdout)
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path]))
}

/** What differs between two readings, whoever reads. */
const MOVING = ['live_rows_estimate', 'dead_rows_estimate', 'bytes', 'size', 'active_connections']
/** Settings of the session that asks, of which each program has its own. */
const OF_SESSIONS = ['application_name', 'client_encoding', 'statement_timeout', 'idle_session_timeout', 'extra_float_digits']
/** Lists whose order nobody promises. */
const UNORDERED = ['columns', 'relationships', 'privileges', 'events', 'tables', 'args']

const text = (value) => JSON.stringify(value, (_, one) => (one && typeof one === 'object' && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one))
const sorted = (list) => list.map((one) => [text(one), one]).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, one]) => one)

/** An object of the catalogue without what moves, its lists in one order. */
export function still(object) {
  if (!object || typeof object !== 'object') return object
  const entries = Object.entries(object).filter(([name]) => !MOVING.includes(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) && UNORDERED.includes(name) ? sorted(value.map(still)) : value]))
}

/** The same of a whole list. */
export function stillAll(body) {
  if (!Array.isArray(body)) return still(body)
  return sorted(body.filter((one) => !OF_SESSIONS.includes(one?.name)).map(still))
}

/** A project served by us, with the original beside it on its database. */
export async function beside(name, env) {
  const project = await serve(name, env)
  const meta = await startPostgresMeta(project.server).catch(async (error) => {
    await project.end()
    throw error
  })
  const service = { apikey: project.server.keys.SERVICE_ROLE_KEY }
  return {
    project,
    ours: asking(`${project.url}/pg`, service),
    theirs: meta.ask,
    async end() {
      await meta.stop()
      await project.end()
    },
  }
}

/** Every kind of object. */
export const KINDS = ['schemas', 'tables', 'columns', 'types', 'functions', 'triggers', 'indexes', 'policies', 'roles', 'publications', 'extensions', 'views', 'materialized-views', 'foreign-tables', 'table-privileges', 'column-privileges', 'config']
/** Lists whose single objects are read by number. */
export const NUMBERED = ['schemas', 'tables', 'functions', 'triggers', 'indexes', 'policies', 'roles', 'publications', 'views', 'materialized-views', 'columns']
