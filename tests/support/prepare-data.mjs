// `node tests/support/prepare-data.mjs FOLDER`: makes the data folders of `prepared-data.mjs` in an empty folder.
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { asOwner } from './database.mjs'
import { KINDS } from './prepared-data.mjs'
import { startServer } from './server.mjs'

const all = resolve(process.argv[2])
await Promise.all(KINDS.map(prepare))

async function prepare({ folder, name, command, args }) {
  const dataDir = join(all, folder)
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  const isProject = command === 'up'
  const project = join(all, `${folder}-files`)
  if (isProject) {
    mkdirSync(join(project, 'supabase'), { recursive: true })
    writeFileSync(join(project, 'supabase/config.toml'), '')
  }
  const start = () => startServer({ name, command, args: isProject ? [...args, project] : args, dataDir })
  await startAndEnd(start)
  const clusters = join(dataDir, 'data')
  const [major] = readdirSync(clusters)
  // Tests end processes, never the machine, so nothing has to reach the disk.
  appendFileSync(join(clusters, major, 'postgresql.conf'), '\nfsync = off\nfull_page_writes = off\nmin_wal_size = 32MB\nwal_recycle = off\n')
  // Another start and end removes the write-ahead log of the migrations, which every copy would contain.
  await startAndEnd(start, isProject ? forgetProject : undefined)
  rmSync(project, { recursive: true, force: true })
}

/** Without this table a folder counts as new, so another project's migrations and seeds run as at a first start. */
function forgetProject(server) {
  return asOwner(server, 'drop table supabase_migrations.seed_files')
}

async function startAndEnd(start, whileItRuns = () => {}) {
  const server = await start()
  await whileItRuns(server)
  const code = await server.ends()
  if (code !== 0) throw new Error(`the server ended with ${code}:\n${server.log()}`)
}
