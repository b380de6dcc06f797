// `node tests/support/prepare-data.mjs FOLDER`: makes the folders of `prepared-data.mjs` in an empty one.
import { appendFileSync, chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { KINDS } from './prepared-data.mjs'
import { startServer } from './server.mjs'

const all = resolve(process.argv[2])
await Promise.all(KINDS.map(prepare))

async function prepare({ folder, name, args }) {
  const dataDir = join(all, folder)
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  await startAndEnd({ name, args, dataDir })
  const clusters = join(dataDir, 'data')
  const [major] = readdirSync(clusters)
  // Tests end processes, never the machine, so nothing has to reach the disk.
  appendFileSync(join(clusters, major, 'postgresql.conf'), '\nfsync = off\nfull_page_writes = off\nmin_wal_size = 32MB\nwal_recycle = off\n')
  // The log of the filling, which every copy would carry, is removed by the checkpoint of another end.
  await startAndEnd({ name, args, dataDir })
}

async function startAndEnd({ name, args, dataDir }) {
  const server = await startServer({ name, args, dataDir })
  const code = await server.ends()
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${server.log()}`)
}
