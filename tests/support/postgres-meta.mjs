// npm's postgres-meta beside a server of ours, on the same database.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

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
