// From process start to the line `ready`, on a new data folder and on one that is there; memory
// at rest.
import { startServer, scratchFolder } from '../tests/support/server.mjs'
import { family, proportionalMiB, residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

async function timed(options) {
  const begun = performance.now()
  const server = await startServer(options)
  return { server, seconds: (performance.now() - begun) / 1000 }
}

async function startAndStop(folder, options) {
  const { server, seconds } = await timed({ ...options, dataDir: folder.path })
  const own = residentMiB(server.pid)
  const database = proportionalMiB(family(server.pid).filter((pid) => pid !== server.pid))
  await server.stop()
  return { seconds, own, database }
}

export async function start() {
  const rows = []
  for (const [what, options] of [
    ['`supabase-compat serve`', { name: 'supabase-compat' }],
    ['`palmares serve --demo`', { name: 'palmares', args: ['--demo'] }],
  ]) {
    const folder = scratchFolder()
    try {
      const first = await startAndStop(folder, options)
      const again = []
      for (let round = 0; round < 5; round++) again.push(await startAndStop(folder, options))
      again.sort((a, b) => a.seconds - b.seconds)
      const middle = again[2]
      rows.push(
        `| ${what} | ${first.seconds.toFixed(2)} s | ${middle.seconds.toFixed(2)} s | ${middle.own.toFixed(0)} MiB | ${middle.database.toFixed(0)} MiB |`,
      )
    } finally {
      folder.remove()
    }
  }
  return [
    '| command | first start ever | started again (median of 5) | server at rest (RSS) | PostgreSQL at rest (PSS) |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
