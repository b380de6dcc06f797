// Addresses that are not in their canonical form: the server and the pages lead to the same page, or both answer "not found".
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { startServer } from '../support/server.mjs'

const vectors = new URL('../../frontend/src/lib/paths.vectors.json', import.meta.url)
const { answers } = JSON.parse(readFileSync(vectors, 'utf8'))
/** Title of the not-found page, in each language. */
const MISSING = /^(Page introuvable|Page not found|Página no encontrada)/

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

describe('an address', () => {
  test('returns its status code or redirect location', async () => {
    for (const { path, status, to } of answers) {
      const answer = await fetch(server.url + path, { redirect: 'manual' })
      const location = answer.headers.get('location') ?? undefined
      assert.deepEqual({ path, status: answer.status, to: location }, { path, status, to })
      await answer.body?.cancel()
    }
  })

  test('leads to the same place within the app', () =>
    Visit.during(browser, { url: server.url }, async (_, page) => {
      await page.goto('/')
      // The HTML of the server has a heading, too, before the app has started.
      await page.locator('.boot').waitFor({ state: 'detached' })
      for (const { path, status, to, browser: inBrowser } of answers) {
        await page.evaluate((address) => {
          localStorage.clear()
          history.pushState({ idx: (history.state?.idx ?? 0) + 1, key: crypto.randomUUID() }, '', address)
          dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
        }, path)
        const expected = inBrowser ?? to ?? path
        await page.waitForURL((url) => url.pathname + url.search === expected)
        await page.getByTestId('on-its-way').waitFor({ state: 'detached' })
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        const missing = (pattern) => new RegExp(pattern).test(document.title)
        if (status === 404) await page.waitForFunction(missing, MISSING.source)
        else await page.waitForFunction(`!(${missing})(${JSON.stringify(MISSING.source)})`)
      }
    }))

  test('of the favicon returns an icon', async () => {
    const icon = await fetch(`${server.url}/favicon.ico`)
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/x-icon'])
  })
})

describe('what search engines are told', () => {
  const head = async (path) => (await fetch(server.url + path)).text()
  const canonical = (html) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1].replace(/^https?:\/\/[^/]*/, '')

  test('names one address of each page', async () => {
    const { id } = await (
      await fetch(`${server.url}/rest/v1/servers_public?slug=eq.loupgarde&select=id`, {
        headers: { apikey: server.keys.ANON_KEY, accept: 'application/vnd.pgrst.object+json' },
      })
    ).json()
    for (const [path, address] of [
      ['/fr', '/'],
      ['/fr/serveur/loupgarde', '/serveur/loupgarde'],
      [`/server/${id}`, '/en/server/loupgarde'],
      [`/fr/server/${id}`, '/serveur/loupgarde'],
      ['/en/servers-minecraft', '/en/game/minecraft'],
      ['/serveurs-dofus', '/serveurs-dofus'],
      ['/game/minecraft?game=flyff', '/game/minecraft?game=flyff'],
      ['/?sort=votes', '/'],
    ])
      assert.equal(canonical(await head(path)), address, path)
  })

  test('includes the page name in the title', async () => {
    assert.match(await head('/serveurs-dofus'), /<title>Serveurs Dofus\u00a0: /)
    assert.match(await head('/en/servers-gta-rp'), /<title>GTA RP servers: /)
    assert.match(await head('/game/minecraft?game=flyff'), /"numberOfItems":\d+/)
  })

  test('has keywords, and noindex on private pages', async () => {
    assert.match(await head('/en/game/rust'), /<meta name="keywords" content="Rust server, /)
    for (const path of ['/seo-audit', '/profile', '/admin', '/en/admin', '/serveur/never-was'])
      assert.match(await head(path), /<meta name="robots" content="noindex" \/>/, path)
  })

  test('lists public pages per language in sitemaps', async () => {
    const index = await head('/sitemap.xml')
    const files = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => new URL(address).pathname)
    assert.deepEqual(
      files,
      ['fr', 'en', 'es'].flatMap((language) => [`/sitemaps/pages-${language}.xml`, `/sitemaps/servers-${language}-1.xml`]),
    )
    for (const [file, parts, others] of [
      [files[0], ['/leaderboard</loc>', '/game/minecraft?game=flyff</loc>', '/archives/'], ['/my-votes', '/admin', 'servers-rust']],
      [files[2], ['/en/servers-dofus</loc>', '/en/archive/'], ['/es/leaderboard</loc>']],
      [files[4], ['/es/game/rust</loc>', '/es/archivo/'], ['/en/leaderboard</loc>']],
      [files[1], ['/serveur/loupgarde</loc><lastmod>', 'hreflang="en-US"', '<image:loc>http'], ['/es/servidor/loupgarde</loc>']],
      [files[5], ['/es/servidor/loupgarde</loc>'], ['/serveur/loupgarde</loc>']],
    ]) {
      const text = await head(file)
      for (const part of parts) assert.ok(text.includes(part), `${file}: ${part}`)
      for (const part of others) assert.ok(!text.includes(part), `${file}: not ${part}`)
      assert.ok(text.trimEnd().endsWith('</urlset>'))
    }
    for (const file of ['servers-fr-2', 'servers-de-1', 'servers-1', 'pages-de', 'pages'])
      assert.equal((await fetch(`${server.url}/sitemaps/${file}.xml`)).status, 404, file)
  })
})
