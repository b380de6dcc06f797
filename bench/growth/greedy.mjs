// One caller sends the most expensive requests that rest/v1 accepts, ten at a time; measured are the latencies of the
// ranked list for other addresses meanwhile.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { wrkMeanwhile, wrkScript } from '../load.mjs'

const AT_ONCE = 10
const SECONDS = 10

/** Requests that read, sort, count and embed whole tables, as far as a visitor may. */
const WORST = [
  'servers_public?select=*&order=rank.desc,name',
  'servers_public?select=id,name&description=ilike.*zzqx*&order=name',
  'servers_public?select=id&name=ilike.*a*&description=ilike.*conseil*&order=description&offset=90000',
  'server_daily_counts?select=*&order=votes.desc,clicks&offset=500000',
  'games?select=*,servers_public(*,games(*,servers_public(id,name)))',
]

/** Sends the worst requests in a loop until `signal` aborts; returns the number of answers by status. */
async function greedy(site, signal) {
  let next = 0
  const statuses = {}
  const sendUntilAborted = async () => {
    while (!signal.aborted) {
      const path = WORST[next++ % WORST.length]
      const headers = { apikey: site.server.keys.ANON_KEY, 'x-forwarded-for': '198.51.100.7', prefer: 'count=exact' }
      try {
        const response = await fetch(`${site.server.url}/rest/v1/${path}`, { headers, signal })
        await response.arrayBuffer()
        statuses[response.status] = (statuses[response.status] ?? 0) + 1
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendUntilAborted))
  return statuses
}

/**
 * Rows of a table: the list's p50 and p99 for others while it is quiet, and beside the greedy caller.
 * @param {string} list the list's path, as the pages ask for it
 */
export async function besideAGreedyCaller(site, list) {
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const headers = { apikey: site.server.keys.ANON_KEY, 'x-forwarded-for': '203.0.113.20' }
    const script = wrkScript(folder, { headers })
    const measureList = () => wrkMeanwhile(site.server.url + list, script, 4, SECONDS)
    const unloaded = await measureList()
    const stop = new AbortController()
    const caller = greedy(site, stop.signal)
    const loaded = await measureList()
    stop.abort()
    const statuses = Object.entries(await caller).map(([status, count]) => `${count} × ${status}`)
    const row = (name, run) => `| ${name} | ${run.rate.toFixed(0)} | ${run.p50.toFixed(1)} | ${run.p99.toFixed(1)} |`
    return [
      '| the list, 4 clients | requests/s | p50 ms | p99 ms |',
      '|---|---|---|---|',
      row('quiet', unloaded),
      row(`beside ${AT_ONCE} of the worst requests of one caller`, loaded),
      '',
      `p99 is ${(loaded.p99 / unloaded.p99).toFixed(1)} times as long. Responses to the caller meanwhile: ${statuses.join(', ')}.`,
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
