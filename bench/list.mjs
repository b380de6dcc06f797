// The site's ranked list, as a visitor's browser requests it.
import { startServer } from '../tests/support/server.mjs'
import { BEHIND_PROXY, HEADING, HOW, measured } from './load.mjs'
import { family, proportionalMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

export const LIST =
  '/rest/v1/servers_public?select=id,slug,name,description,tags,logo_image_url,monthly_votes,online_players,max_players,is_online,is_prestige,games(name,slug,logo_url,is_steam)' +
  '&order=is_prestige.desc,promoted_order.asc.nullslast,monthly_votes.desc,id.asc&limit=25'

export async function list() {
  const server = await startServer({ args: ['--demo'], env: BEHIND_PROXY })
  try {
    const workload = { name: 'ranked list', path: LIST, headers: { apikey: server.keys.ANON_KEY } }
    const rows = await measured(server, workload)
    const database = proportionalMiB(family(server.pid).filter((pid) => pid !== server.pid))
    return [...HEADING, ...rows, '', `${HOW} After the load PostgreSQL holds ${database.toFixed(0)} MiB (PSS).`].join('\n')
  } finally {
    await server.stop()
  }
}
