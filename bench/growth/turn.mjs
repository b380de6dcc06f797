// The change of month under a stream of votes: every counter is dated back by a month, so that the site's own job finds
// an ended day, week and month while votes continue to arrive.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { asOwner } from '../../tests/support/database.mjs'
import { wrkMeanwhile } from '../load.mjs'
import { lua, prepared } from '../votes.mjs'

const CLIENTS = 3
const SECONDS = 45
/** Minimum number of servers that the job must close per second once the stream has ended. */
const CLOSED_A_SECOND = 1000
/** Number of prepared votes: more than the clients can cast in that time. */
const VOTES = 60_000

const AGED = `
  begin;
  update public.server_standings set month = month - interval '1 month', week = week - 28, day = day - 28;
  update public.vote_clock set day = day - 28, week = week - 28, month = month - interval '1 month';
  commit`

const LEFT = 'select count(*)::int as left from public.server_standings where monthly_votes > 0 and month < public.month_of(public.site_today())'

/** Waits until no server is left to close. */
async function untilClosed(site, left) {
  const until = performance.now() + (left / CLOSED_A_SECOND) * 1000
  for (let still = left; still > 0; [{ left: still }] = await asOwner(site.server, LEFT)) {
    if (performance.now() > until) throw new Error(`${still} servers were not closed`)
    await new Promise((done) => setTimeout(done, 1000))
  }
}

/** Returns a sentence: the latencies of the votes, and how many servers' months were closed meanwhile. */
export async function turnOfTheMonth(site, servers) {
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const [file, script] = [join(folder, 'votes.txt'), join(folder, 'votes.lua')]
    writeFileSync(file, (await prepared(site.server, servers, VOTES)).join('\n'))
    writeFileSync(script, lua(file))
    await asOwner(site.server, AGED)
    const [{ left: before }] = await asOwner(site.server, LEFT)
    const run = await wrkMeanwhile(site.server.url, script, CLIENTS, SECONDS)
    const [{ left: after }] = await asOwner(site.server, LEFT)
    await untilClosed(site, after)
    return (
      `A month's turn: ${before - after} of ${before} servers closed beside ${CLIENTS} clients who voted for ${servers.length} ` +
      `of them, ${run.rate.toFixed(0)} votes a second: p50 ${run.p50.toFixed(1)} ms, p99 ${run.p99.toFixed(1)} ms, ` +
      `the longest ${run.max.toFixed(0)} ms${after > 0 ? '; the others after the stream' : ''}.`
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
