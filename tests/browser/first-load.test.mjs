// What a first visit loads, and what it need not: texts and rows come with the page.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { launch, PHONE, Visit } from '../support/browser.mjs'
import { startServer } from '../support/server.mjs'

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, viewport: PHONE, ...options }, look)

/** The paths a page asks for from now on. */
function requestedTables(page) {
  const urls = []
  page.on('request', (request) => urls.push(decodeURIComponent(request.url().slice(server.url.length))))
  return urls
}

const list = (page) => page.locator('#server-list article')
const isRows = (url) => url.startsWith('/rest/v1/')

describe('a first visit', () => {
  test('shows the ranking without asking for it', () =>
    visiting({}, async ({ page }) => {
      const urls = requestedTables(page)
      await page.goto('/')
      await list(page).first().waitFor()
      assert.deepEqual(urls.filter((url) => /^\/rest\/v1\/(games|servers_public)\?/.test(url)), [])
      // Each page of the list comes with its own; another order of it is asked for. What has its place among the
      // rows of a later page is not part of the list's own page.
      const isPlaced = (url) => /is_prestige=eq\.true|limit=1$/.test(url)
      const lists = () =>
        urls.filter((url) => /^\/rest\/v1\/servers_public\?/.test(url) && !isPlaced(url)).length
      await page.goto('/?page=2')
      await list(page).first().waitFor()
      assert.equal(lists(), 0)
      await page.goto('/?sort=recent')
      await list(page).first().waitFor()
      assert.equal(lists(), 1)
    }))

  test('shows servers and games from prefetched rows', async () => {
    for (const path of ['/serveur/loupgarde', '/game/minecraft', '/serveurs-dofus'])
      await visiting({}, async (visit, page) => {
        const urls = requestedTables(page)
        await page.goto(path)
        await page.locator('h1').first().waitFor()
        await visit.waitForQuietNetwork()
        const written = await page.evaluate(() => JSON.parse(document.getElementById('palmares-rows').textContent))
        assert.ok(written.length > 0, path)
        for (const [question] of written) assert.ok(!urls.includes(`/rest/v1/${question}`), question)
      })
  })

  test('loads only its own locale and page code', async () => {
    for (const [language, others] of [
      ['en', 'fr|es'],
      ['es', 'fr|en'],
    ])
      await visiting({}, async (visit, page) => {
        const urls = requestedTables(page)
        await page.goto(`/${language}`)
        await list(page).first().waitFor()
        await visit.waitForQuietNetwork()
        const heading = await page.request.get(`/${language}`).then((answer) => answer.text())
        assert.match(heading, /<div class="boot-list"><div class="part-backdrop"><img [^>]+><\/div><h1>[^<]+<\/h1><p>[^<]+/)
        assert.deepEqual(urls.filter((url) => new RegExp(`-(${others})-[^/]+\\.json$`).test(url)), [])
        const foreign = /\/assets\/(server-page|missing-page|game-page|\w+-area|supabase|use-form|dialog)-[^/]+\.js$/
        assert.deepEqual(urls.filter((url) => foreign.test(url)), [])
        assert.ok(urls.some((url) => /\/assets\/home-[^/]+\.js$/.test(url)))
      })
  })

  test('loads rows itself when none are prefetched', () =>
    visiting({}, async ({ page }) => {
      await page.route(server.url + '/', async (route) => {
        const answer = await route.fetch()
        const html = await answer.text()
        assert.match(html, /id="palmares-rows">\[\[/)
        const body = html.replace(/(id="palmares-rows">).*?(<\/script>)/s, '$1[]$2')
        await route.fulfill({ response: answer, body })
      })
      const urls = requestedTables(page)
      await page.goto('/')
      await list(page).first().waitFor()
      assert.ok(urls.some((url) => isRows(url) && url.includes('servers_public?')))
    }))
})
