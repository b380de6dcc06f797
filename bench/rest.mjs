// rest/v1 under four workloads, as a visitor and as a signed-in account, on a schema of its own
// (`rest.sql`) and with the binary without a site.
import { readFileSync } from 'node:fs'

import { asOwner } from '../tests/support/database.mjs'
import { eventually, startServer } from '../tests/support/server.mjs'
import { BEHIND_PROXY, HEADING, HOW, measured } from './load.mjs'

process.env.BUILD_PROFILE ??= 'release'

const LIST =
  '/rest/v1/things?select=id,name,labels,score,made_at,makers(name,country)&is_shown=is.true&order=score.desc,id.asc&limit=25'

const workloads = (headers) => [
  { name: 'list of 25, embedding', path: LIST, headers },
  { name: 'one row by key', path: '/rest/v1/things?select=id,name,score&id=eq.4711', headers },
  {
    name: 'procedure',
    path: '/rest/v1/rpc/mean_score',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"p_maker":7}',
  },
  {
    name: 'insert, returning',
    path: '/rest/v1/remarks',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' },
    body: '{"thing_id":7,"body":"seen, liked, kept"}',
  },
]

/** Signs an account up and returns the headers of its requests. */
async function signedIn(server) {
  const answer = await fetch(`${server.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: server.keys.ANON_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.org', password: 'correct horse battery' }),
  })
  const { access_token: token } = await answer.json()
  return { apikey: server.keys.ANON_KEY, authorization: `Bearer ${token}` }
}

export async function rest() {
  const server = await startServer({ name: 'supabase-compat', env: { ...BEHIND_PROXY, GOTRUE_MAILER_AUTOCONFIRM: 'true', GOTRUE_JWT_EXP: '86400' } })
  try {
    await asOwner(server, readFileSync(new URL('rest.sql', import.meta.url), 'utf8'))
    const visitor = { apikey: server.keys.ANON_KEY }
    await eventually(async () => (await fetch(server.url + LIST, { headers: visitor })).ok)
    const person = await signedIn(server)
    const tables = []
    for (const [caller, headers] of [['As a visitor', visitor], ['As somebody signed in', person]]) {
      const rows = []
      for (const workload of workloads(headers)) rows.push(...(await measured(server, workload)))
      tables.push(`${caller}:\n\n${[...HEADING, ...rows].join('\n')}`)
    }
    return [...tables, HOW].join('\n\n')
  } finally {
    await server.stop()
  }
}
