// How much script each area fetches in the first three seconds of a visit: scripts of the first load, and those that a
// page requests when it is drawn. `BUDGETS=write just test-browser budgets` records budgets one per cent above it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'

import { launch, PHONE, Visit } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { signInAs } from '../support/demo.mjs'
import { startServer } from '../support/server.mjs'

const BUDGETS = new URL('../../frontend/scripts/budgets.json', import.meta.url)
const OWNER = 'owner@palmares.test'
const ADMIN = 'admin@palmares.test'

/** A page's key in the registry, its address, and who opens it. */
const areasOf = ({ event, own }) => [
  ['home', '/'],
  ['game', '/game/minecraft'],
  ['server', '/serveur/loupgarde'],
  ['hallOfFame', '/pantheon'],
  ['competitiveEvent', `/evenement/${event}`],
  ['publicReport', '/signaler'],
  ['leaderboard', '/leaderboard'],
  ['profile', '/profile', OWNER],
  ['receipt', '/profile/receipts/1', OWNER],
  ['favorites', '/favorites', OWNER],
  ['myVotes', '/my-votes', OWNER],
  ['addServer', '/add-server', OWNER],
  ['editServer', `/edit-server/${own}`, OWNER],
  ['creatorTools', '/creator-tools', OWNER],
  ['arcadeSpotsManagement', '/arcade-spots-management', OWNER],
  ['terms', '/terms'],
  ['apiDocs', '/api-docs'],
  ['admin', '/admin', ADMIN],
  ['adminServers', '/admin/servers', ADMIN],
]

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

/** An event of the demonstration, and a server of its owner. */
async function idsOf({ url, keys }) {
  const owner = createClient(url, keys.ANON_KEY)
  const { data } = await owner.auth.signInWithPassword({ email: OWNER, password: 'palmares-demo' })
  const [events, servers] = await Promise.all([
    owner.from('competitive_events').select('id').order('id').limit(1).single(),
    owner.from('servers').select('id').eq('owner_id', data.user.id).order('created_at').limit(1).single(),
  ])
  return { event: events.data.id, own: servers.data.id }
}

/** Bytes of script that a phone with an empty cache fetches by itself; what waits for longer than three seconds never comes. */
async function scriptOf(path, email) {
  let bytes = 0
  await Visit.during(browser, { url: server.url, viewport: PHONE }, async (visit, page) => {
    if (email) await signInAs(page, server, email)
    await page.addInitScript(() => {
      const { setTimeout } = window
      window.setTimeout = (act, after, ...rest) => (after > 3_000 ? 0 : setTimeout(act, after, ...rest))
    })
    const sizes = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') sizes.push(request.sizes())
    })
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    await visit.waitForQuietNetwork()
    for (const { responseBodySize } of await Promise.all(sizes)) bytes += responseBodySize
  })
  return bytes
}

test('scripts of each page stay within their budgets', async () => {
  const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8'))
  const found = {}
  for (const [page, path, email] of areasOf(await idsOf(server))) found[page] = await scriptOf(path, email)
  if (process.env.BUDGETS === 'write') {
    for (const [page, bytes] of Object.entries(found)) budgets[page] = { ...budgets[page], soon: Math.ceil((bytes * 1.01) / 100) * 100 }
    writeFileSync(BUDGETS, toText(budgets))
  }
  const over = Object.entries(found).filter(([page, bytes]) => !(bytes <= budgets[page]?.soon))
  assert.deepEqual(over.map(([page, bytes]) => `${page}: ${bytes} B of ${budgets[page]?.soon}`), [])
})

/** One line for each page, in the format of the file. */
function toText(budgets) {
  const line = ([page, budget]) => `  ${JSON.stringify(page)}: { ${JSON.stringify(budget).slice(1, -1).replaceAll(':', ': ').replaceAll(',', ', ')} }`
  return `{\n${Object.entries(budgets).map(line).join(',\n')}\n}\n`
}
