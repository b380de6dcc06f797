// Navigation between pages and back: the old page stays until the next one is loaded, and the scroll position is restored.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { startServer } from '../support/server.mjs'

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)
const cards = (page) => page.locator('#server-list article')
/** What the server calls the page at a path. */
const titleOf = (page, path) =>
  page.evaluate(async (path) => {
    const html = await (await fetch(path)).text()
    return new DOMParser().parseFromString(html, 'text/html').title
  }, path)
/** Scrolls, and waits until the page has handled the event. */
const scrollTo = (page, top) =>
  page.evaluate((target) => {
    const noticed = new Promise((done) => addEventListener('scroll', () => requestAnimationFrame(done), { once: true }))
    scrollTo(0, target)
    return noticed
  }, top)

describe('going back', () => {
  for (const [width, viewport] of [
    ['a phone', PHONE],
    ['a desktop', undefined],
  ])
    test(`restores list page, filters and scroll on ${width}`, () =>
      visiting(viewport ? { viewport } : {}, async (_, page) => {
        await page.goto('/?sort=votes')
        await cards(page).first().waitFor()
        await page.getByRole('link', { name: 'Page 2', exact: true }).click()
        await page.waitForURL(/page=2/)
        await page.locator('#server-list[aria-busy=false]').waitFor()
        await page.locator('#server-list [data-stale]').first().waitFor({ state: 'detached' })
        await scrollTo(page, 2038)
        const link = cards(page).getByRole('heading').getByRole('link')
        const seen = await link.evaluateAll((all) => all.findIndex((one) => one.getBoundingClientRect().top > 200))
        const name = await link.nth(seen).innerText()
        // Where the page is left: rows that grow above keep what is looked at in its place.
        await page.evaluate(() => addEventListener('click', () => (window.leftAt = scrollY), { capture: true, once: true }))
        await link.nth(seen).click()
        const before = await page.evaluate(() => window.leftAt)
        await page.getByRole('heading', { level: 1, name }).waitFor()
        assert.equal(await page.evaluate(() => scrollY), 0)
        await page.goBack()
        await page.waitForFunction((top) => Math.abs(scrollY - top) <= 2, before)
        assert.match(page.url(), /\?sort=votes&page=2$/)
        assert.ok(await link.filter({ hasText: name }).isVisible())
        // The link of a server's page does the same.
        await link.nth(seen).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await page.getByRole('link', { name: 'Retour aux serveurs' }).click()
        await page.waitForFunction((top) => Math.abs(scrollY - top) <= 2, before)
        assert.match(page.url(), /\?sort=votes&page=2$/)
        // A reload loses nothing either.
        await page.reload()
        await page.waitForFunction((top) => Math.abs(scrollY - top) <= 2, before)
      }))

  test('leads to the game list without history', () =>
    visiting({}, async (_, page) => {
      await page.goto('/serveur/loupgarde')
      await page.getByRole('link', { name: 'Retour aux serveurs' }).click()
      await page.waitForURL(/\/game\//)
      await cards(page).first().waitFor()
    }))
})

describe('going on', () => {
  test('keeps the old page until the next loads', () =>
    visiting({}, async (_, page) => {
      let release
      const held = new Promise((resolve) => (release = resolve))
      await page.route(/\/assets\/server-page-[^/]*\.js$/, async (route) => {
        await held
        await route.continue()
      })
      await page.goto('/')
      const title = await page.getByRole('heading', { level: 1 }).innerText()
      const link = cards(page).getByRole('heading').getByRole('link').first()
      const name = await link.innerText()
      await link.click()
      await page.getByTestId('on-its-way').waitFor({ state: 'attached' })
      assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), title)
      assert.ok(await cards(page).first().isVisible())
      release()
      const heading = page.getByRole('heading', { level: 1, name })
      await heading.waitFor()
      await page.getByTestId('on-its-way').waitFor({ state: 'detached' })
      // Screen readers announce the page: the heading has the focus, and a status has the title.
      await page.waitForFunction(() => document.activeElement === document.querySelector('#content h1'))
      assert.equal(await page.getByRole('status').filter({ hasText: await page.title() }).count(), 1)
    }))

  test('sets the title that the server renders', () =>
    visiting({}, async (visit, page) => {
      const texts = []
      page.on('request', (request) => texts.push(...(/\/assets\/([a-z-]+)-fr-[^/]*\.json$/.exec(request.url())?.slice(1) ?? [])))
      const shows = (title) => page.waitForFunction((title) => document.title === title, title)
      await page.goto('/')
      await cards(page).first().waitFor()
      await visit.waitForQuietNetwork()
      assert.equal(await page.title(), await titleOf(page, '/'))
      assert.deepEqual(texts.filter((name) => name === 'seo'), [])
      await page.getByRole('link', { name: 'Page 2', exact: true }).click()
      await shows(await titleOf(page, '/?page=2'))
      await page.locator('#server-list[aria-busy=false]').waitFor()
      await page.locator('#server-list [data-stale]').first().waitFor({ state: 'detached' })
      const link = cards(page).getByRole('heading').getByRole('link').first()
      const path = await link.getAttribute('href')
      await link.click()
      await shows(await titleOf(page, path))
      await page.goBack()
      await shows(await titleOf(page, '/?page=2'))
      await page.goBack()
      await shows(await titleOf(page, '/'))
      assert.deepEqual(texts.filter((name) => name === 'seo'), ['seo'])
    }))

  test('prefetches rows and code on link hover', () =>
    visiting({}, async (_, page) => {
      // The script that handles the pointer is loaded after the page, here only when it is released.
      let release
      const pointed = new Promise((resolve) => (release = resolve))
      await page.route(/\/assets\/afterwards-[^/]*\.js$/, async (route) => {
        await pointed
        await route.continue()
      })
      await page.goto('/', { waitUntil: 'domcontentloaded' })
      const link = cards(page).getByRole('heading').getByRole('link').first()
      const slug = (await link.getAttribute('href')).split('/').at(-1)
      const rowRequest = page.waitForRequest((request) => request.url().includes(`slug=eq.${slug}`))
      const code = page.waitForRequest(/\/assets\/server-page-[^/]*\.js$/)
      await link.hover()
      release()
      await Promise.all([rowRequest, code])
      assert.equal(new URL(page.url()).pathname, '/')
    }))
})
