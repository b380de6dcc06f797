// What other programs fetch from the site: social cards, and feeds of new servers, read by third-party parsers.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { parseAtomFeed } from 'feedsmith'
import { PNG } from 'pngjs'

import { createClient } from '../support/client.mjs'
import { startServer } from '../support/server.mjs'

const ARTEFACTS = fileURLToPath(new URL('../artefacts', import.meta.url))

let server
let visitor
let listed

before(async () => {
  mkdirSync(ARTEFACTS, { recursive: true })
  server = await startServer({ args: ['--demo'] })
  visitor = createClient(server.url, server.keys.ANON_KEY)
  const { data } = await visitor
    .from('servers_public')
    .select('id, slug, name, created_at, games(name, slug)')
    .order('created_at', { ascending: false })
    .order('id')
    .limit(30)
  listed = data
})
after(() => server?.stop())

const get = (path, headers = {}) => fetch(server.url + path, { headers })

/** Fetches a card; with a name, saves it among the artefacts. */
async function card(path, name) {
  const response = await get(path)
  assert.equal(response.status, 200, path)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (name) writeFileSync(`${ARTEFACTS}/card-${name}.png`, bytes)
  return { response, bytes }
}

async function headOf(path) {
  const html = await (await get(path)).text()
  return {
    image: /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1],
    feed: /<link rel="alternate" type="application\/atom\+xml" href="([^"]+)"/.exec(html)?.[1],
  }
}

describe('a social card', () => {
  test('is a PNG of 1200 by 630', async () => {
    const { data: contest } = await visitor.from('competitive_events').select('id').limit(1).single()
    for (const [path, name] of [
      [`/cards/fr/server/${listed[0].slug}.png`, 'server'],
      ['/cards/en/game/minecraft.png', 'game'],
      ['/cards/es/shortcut/dofus.png', 'shortcut'],
      [`/cards/fr/event/${contest.id}.png`, 'event'],
    ]) {
      const { response, bytes } = await card(path, name)
      assert.equal(response.headers.get('content-type'), 'image/png')
      assert.equal(response.headers.get('cache-control'), 'public, max-age=3600')
      assert.equal(response.headers.get('set-cookie'), null)
      const { width, height, data } = PNG.sync.read(bytes)
      assert.deepEqual([width, height], [1200, 630])
      assert.ok(new Set(new Uint32Array(data.buffer, data.byteOffset, width * height)).size > 100, `${name} is blank`)
      assert.ok(bytes.length < 500_000, `${name}: ${bytes.length} bytes`)
    }
  })

  test('is linked in its page’s head by language', async () => {
    const { slug } = listed[0]
    for (const [page, image] of [
      [`/serveur/${slug}`, `/cards/fr/server/${slug}.png`],
      [`/en/server/${slug}`, `/cards/en/server/${slug}.png`],
      ['/es/game/minecraft', '/cards/es/game/minecraft.png'],
      ['/serveurs-minecraft', '/cards/fr/game/minecraft.png'],
      ['/serveurs-dofus', '/cards/fr/shortcut/dofus.png'],
    ]) {
      const named = new URL((await headOf(page)).image)
      assert.equal(named.pathname, image)
      assert.equal((await get(named.pathname)).status, 200, image)
    }
  })

  test('varies by language and has an ETag', async () => {
    const path = (language) => `/cards/${language}/server/${listed[1].slug}.png`
    const french = await card(path('fr'))
    const english = await card(path('en'))
    assert.ok(!french.bytes.equals(english.bytes))
    const tag = french.response.headers.get('etag')
    const again = await get(path('fr'), { 'if-none-match': tag })
    assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, tag, ''])
    const responses = await Promise.all(['?v=1', '?v=2', '?x'].map((query) => card(path('fr') + query)))
    assert.ok(responses.every(({ response, bytes }) => response.headers.get('etag') === tag && bytes.equals(french.bytes)))
  })

  test('is 404 for an unknown or hidden subject', async () => {
    const { slug } = listed[2]
    for (const path of [
      '/cards/fr/server/nothing-of-the-kind.png',
      '/cards/fr/game/nothing.png',
      '/cards/fr/shortcut/nothing.png',
      '/cards/fr/event/00000000-0000-4000-8000-000000000000.png',
      '/cards/fr/event/nothing.png',
      `/cards/de/server/${slug}.png`,
      `/cards/fr/person/${slug}.png`,
      `/cards/fr/server/${slug}.svg`,
      `/cards/fr/server/${slug.toUpperCase()}.png`,
      '/cards/fr/server/%00.png',
    ])
      assert.equal((await get(path)).status, 404, path)
    const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
    const { error } = await service.from('servers').update({ is_hidden: true }).eq('slug', slug)
    assert.equal(error, null)
    assert.equal((await get(`/cards/fr/server/${slug}.png`)).status, 404)
    await service.from('servers').update({ is_hidden: false }).eq('slug', slug)
  })
})

describe('a feed of new servers', () => {
  const read = async (path) => {
    const response = await get(path)
    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    return { response, feed: parseAtomFeed(await response.text()) }
  }

  test('lists the thirty newest with localized links', async () => {
    const { feed } = await read('/feeds/en/new.atom')
    assert.deepEqual(
      feed.entries.map((entry) => entry.links[0].href),
      listed.map(({ slug }) => `${server.url}/en/server/${slug}`),
    )
    const [first] = feed.entries
    assert.equal(first.id, `${server.url}/en/server/${listed[0].id}`)
    assert.equal(Date.parse(first.published), Math.floor(Date.parse(listed[0].created_at) / 1000) * 1000)
    assert.deepEqual(first.categories, [{ term: listed[0].games.slug, label: listed[0].games.name }])
    assert.equal(new Set(feed.entries.map((entry) => entry.id)).size, 30)
    const links = Object.fromEntries(feed.links.map(({ rel, href }) => [rel, href]))
    assert.deepEqual(links, { self: `${server.url}/feeds/en/new.atom`, alternate: `${server.url}/en` })
    assert.equal(feed.id, links.self)
  })

  test('of a game lists only its servers', async () => {
    const { feed: address } = await headOf('/game/minecraft')
    assert.equal(address, `${server.url}/feeds/fr/game/minecraft.atom`)
    const { feed } = await read(new URL(address).pathname)
    assert.ok(feed.entries.length >= 5)
    assert.ok(feed.entries.every((entry) => entry.categories[0].term === 'minecraft'))
    assert.equal(new URL((await headOf('/')).feed).pathname, '/feeds/fr/new.atom')
    assert.equal((await headOf('/faq')).feed, undefined)
  })

  test('is cached, and 404 for unknown games', async () => {
    const { response } = await read('/feeds/fr/new.atom')
    for (const [text, actual] of [
      ['etag', 'if-none-match'],
      ['last-modified', 'if-modified-since'],
    ]) {
      const again = await get('/feeds/fr/new.atom', { [actual]: response.headers.get(text) })
      assert.equal(again.status, 304, text)
    }
    for (const path of ['/feeds/de/new.atom', '/feeds/fr/old.atom', '/feeds/fr/game/nothing.atom', '/feeds/fr/game/a.xml'])
      assert.equal((await get(path)).status, 404, path)
  })
})
