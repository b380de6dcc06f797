// A project's folder served by `supabase-compat up`, and accounts in that project.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createClient } from './client.mjs'
import { DENO } from './deno.mjs'
import { scratchFolder, startServer } from './server.mjs'

export const PROJECTS = fileURLToPath(new URL('../projects', import.meta.url))

/** Projects that always start: the wiki has an error in a migration, and vectors needs an extension that may be missing. */
export const STARTING_PROJECTS = readdirSync(PROJECTS).filter((name) => !['vectors', 'wiki'].includes(name))

/** A project served from its folder below tests/projects, with variables; `end()` stops it. */
export async function serve(name, env = {}) {
  const scratch = scratchFolder()
  const dataDir = join(scratch.path, 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  const start = () =>
    startServer({ name: 'supabase-compat', command: 'up', args: [join(PROJECTS, name)], dataDir, isPrepared: true, env: { DENO_PATH: DENO, ...env } })
  let server = await start().catch((error) => {
    scratch.remove()
    throw error
  })
  const client = (key) => createClient(server.url, server.keys[key])
  return {
    url: server.url,
    dataDir,
    get server() {
      return server
    },
    anon: () => client('ANON_KEY'),
    service: () => client('SERVICE_ROLE_KEY'),
    async account(person, options = {}) {
      const anonymous = client('ANON_KEY')
      const { data, error } = await anonymous.auth.signUp({ email: `${person}@${name}.test`, password: 'correct horse', options })
      assert.equal(error, null)
      return { client: anonymous, id: data.user.id, email: data.user.email }
    },
    /** Restarts the server on the same data, at another address. */
    async again() {
      await server.stop()
      server = await start()
    },
    async end() {
      await server.stop()
      scratch.remove()
    },
  }
}
