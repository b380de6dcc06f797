// Kills in the middle of uploads, moves and removals: afterwards every acknowledged object is whole, removed objects
// are gone, and every row has its bytes. `just test` makes one kill of each kind, `just chaos` CHAOS_ROUNDS rounds.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, scratchFolder, startAfterKill, startServer } from '../support/server.mjs'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 1)
const AT_ONCE = 8
/** Operations acknowledged between two kills. */
const BETWEEN = 40
const PATIENCE = { within: 90_000 }
const BUCKET = 'chaos'

const md5 = (bytes) => createHash('md5').update(bytes).digest('hex')
const kill = (pid) => process.kill(Number(pid), 'SIGKILL')

/** No answer arrived: the operation may or may not have been done. */
class Unknown extends Error {}

/** The answer to a request; throws `Unknown` when the server is down, fails or limits the rate. */
async function outcomeOf(ask) {
  let answer
  try {
    answer = await ask()
  } catch {
    throw new Unknown()
  }
  if (answer.error) {
    const status = answer.error.originalError?.status ?? answer.error.status
    if (!status || status >= 500 || status === 429) throw new Unknown()
  }
  return answer
}

/** Uploads, overwrites, removes and moves keys in turn; no other worker uses the same keys. */
async function worker(site, number, known, tally) {
  for (let round = 0; !site.isOver; round++) {
    const bucket = createClient(site.server.url, site.keys.SERVICE_ROLE_KEY).storage.from(BUCKET)
    const key = `w${number}/${round % 7}/file`
    const moved = `w${number}/${round % 7}/moved`
    // The digests that a key may have: one after an acknowledged operation, several after an unknown one; null is no object.
    const may = (name) => known.get(name) ?? [null]
    const content = randomBytes([200, 40_000, 700_000][round % 3])
    const deeds = [
      [
        () => bucket.upload(key, content, { upsert: true, contentType: 'application/octet-stream' }),
        () => [[key, [md5(content)]]],
        () => [[key, [...may(key), md5(content)]]],
      ],
      [
        () => (round % 3 === 1 ? bucket.remove([moved]) : { data: null }),
        () => (round % 3 === 1 ? [[moved, [null]]] : []),
        () => [[moved, [...may(moved), null]]],
      ],
      [
        () => (round % 3 === 1 ? bucket.move(key, moved) : { data: null }),
        () => (round % 3 === 1 ? [[moved, may(key)], [key, [null]]] : []),
        () => [[moved, [...may(moved), ...may(key)]], [key, [...may(key), null]]],
      ],
    ]
    for (const [deed, done, perhaps] of deeds) {
      try {
        const { error } = await outcomeOf(deed)
        // After an unknown outcome the source may be missing or the target may exist, which is an error.
        if (error) {
          for (const [name, digests] of perhaps()) known.set(name, digests)
        } else {
          const changes = done()
          for (const [name, digests] of changes) known.set(name, digests)
          if (changes.length > 0) tally.done += 1
        }
      } catch (error) {
        if (!(error instanceof Unknown)) throw error
        for (const [name, digests] of perhaps()) known.set(name, digests)
        tally.unknown += 1
        await eventually(() => site.isOver || fetch(`${site.server.url}/storage/v1/status`).then(() => true, () => false), PATIENCE)
      }
    }
  }
}

const kills = {
  async 'the server with its database'(site) {
    await site.server.kill()
    await startAfterKill(() => site.start())
  },
  async 'the postmaster'(site) {
    const [major] = readdirSync(join(site.dataDir, 'data'))
    kill(readFileSync(join(site.dataDir, 'data', major, 'postmaster.pid'), 'utf8').split('\n')[0])
  },
  async 'the server again'(site) {
    await this['the server with its database'](site)
  },
}

test('acknowledged uploads survive killed processes', async (t) => {
  const folder = scratchFolder()
  const site = {
    dataDir: folder.path,
    isOver: false,
    async start() {
      this.server = await startServer({ name: 'supabase-compat', dataDir: folder.path })
      this.keys = this.server.keys
    },
  }
  await site.start()
  t.after(async () => {
    site.isOver = true
    await site.server.stop()
    folder.remove()
  })
  const service = () => createClient(site.server.url, site.keys.SERVICE_ROLE_KEY).storage
  assert.equal((await service().createBucket(BUCKET, { public: true })).error, null)
  const [known, tally] = [new Map(), { done: 0, unknown: 0 }]
  const workers = Array.from({ length: AT_ONCE }, (_, number) => worker(site, number, known, tally))
  const more = async () => {
    const enough = tally.done + BETWEEN
    await eventually(() => tally.done >= enough, PATIENCE)
  }
  try {
    await more()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [killName, done] of Object.entries(kills)) {
        await done.call(kills, site)
        await more()
        t.diagnostic(`${killName} killed; ${tally.done} deeds so far`)
      }
    }
  } finally {
    site.isOver = true
    await Promise.all(workers)
  }
  for (const [key, digests] of known) {
    const { data, error } = await service().from(BUCKET).download(key)
    const found = error ? null : md5(Buffer.from(await data.arrayBuffer()))
    assert.ok(digests.includes(found), `${key} holds ${found}, not one of ${digests}`)
  }
  const rows = await asOwner(site, 'select name, metadata, version from storage.objects order by name')
  for (const { name, metadata } of rows) {
    const { data, error } = await service().from(BUCKET).download(name)
    assert.equal(error, null, `${name} has a row and no bytes`)
    const bytes = Buffer.from(await data.arrayBuffer())
    assert.equal(metadata.size, bytes.length, name)
    assert.equal(metadata.eTag, `"${md5(bytes)}"`, name)
  }
  assert.ok(rows.length > 0)
  t.diagnostic(`${tally.done} deeds, ${tally.unknown} without an answer, ${rows.length} objects`)
})
