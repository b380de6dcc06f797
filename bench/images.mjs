// Image rendering: pictures per second and per core, each rendered anew because the cache is off.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '../tests/support/client.mjs'
import { startServer } from '../tests/support/server.mjs'
import { ROUNDS, SECONDS, median, wrk } from './load.mjs'
import { cpuSeconds, residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const CLIENTS = 8
const PICTURES = {
  'card.jpg': 'storage/pictures/social-card.jpg',
  'icon.png': 'storage/pictures/brand/icon-512.png',
}
const WORKLOADS = [
  ['JPEG 1200 × 630 to WebP, 300 wide', 'card.jpg?width=300&format=webp'],
  ['JPEG 1200 × 630 to JPEG, 300 wide', 'card.jpg?width=300&format=origin'],
  ['JPEG 1200 × 630 to WebP, 800 wide', 'card.jpg?width=800&format=webp'],
  ['PNG 512 × 512 to WebP, 128 wide', 'icon.png?width=128&format=webp'],
  ['PNG 512 × 512 to PNG, 128 wide', 'icon.png?width=128&format=origin'],
]

/** Each request has a different address, so that concurrent requests do not share one rendering. */
function script(folder, query) {
  const path = join(folder, 'picture.lua')
  const address = `/storage/v1/render/image/public/bench/${query}&gravity=ce&x_offset=`
  const lines = ['local n = 0', `request = function() n = n + 1; return wrk.format('GET', '${address}' .. n) end`]
  writeFileSync(path, lines.join('\n'))
  return path
}

function run(server, lua) {
  const before = cpuSeconds(server.pid)
  const result = wrk(server.url, lua, CLIENTS)
  const each = ((cpuSeconds(server.pid) - before) / (result.rate * SECONDS)) * 1000
  return { ...result, each, core: 1000 / each, memory: residentMiB(server.pid) }
}

export async function images() {
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  const server = await startServer({ name: 'supabase-compat', env: { IMAGE_TRANSFORMATION_CACHE: '0' } })
  try {
    const { storage } = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
    const bucket = await storage.createBucket('bench', { public: true })
    if (bucket.error) throw bucket.error
    for (const [name, file] of Object.entries(PICTURES)) {
      const { error } = await storage.from('bench').upload(name, readFileSync(new URL(`../${file}`, import.meta.url)))
      if (error) throw error
    }
    const rows = WORKLOADS.map(([name, query]) => {
      const lua = script(folder, query)
      const runs = Array.from({ length: ROUNDS }, () => run(server, lua))
      const cell = (metric, digits) => median(runs, metric).toFixed(digits)
      return `| ${name} | ${cell('rate', 0)} | ${cell('core', 0)} | ${cell('each', 1)} | ${cell('p99', 0)} | ${cell('memory', 0)} |`
    })
    return [
      '| picture | a second | a second and core | CPU ms | p99 ms | RSS MiB |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
      `${CLIENTS} clients of one address, which has all turns but one; medians of ${ROUNDS} rounds of ${SECONDS} s.`,
    ].join('\n')
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
