// Competitive events: their page while they run and after their end, their ranking in the list, and the explanation of
// how rankings are made.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { startServer } from '../support/server.mjs'

let server
let browser
let running
let finished
/** The first servers of the running event, in the order of their places. */
let best

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
  const visitor = createClient(server.url, server.keys.ANON_KEY)
  const events = await visitor.from('competitive_events').select('id, name_en, is_finished, total_votes')
  assert.equal(events.error, null)
  running = events.data.find((event) => !event.is_finished)
  finished = events.data.find((event) => event.is_finished)
  const standings = await visitor
    .from('competitive_event_standings')
    .select('place, name, votes_count')
    .eq('event_id', running.id)
    .order('place')
    .limit(100)
  assert.equal(standings.error, null)
  best = standings.data
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)
const numberIn = (text) => Number(text.replace(/\D/g, ''))

describe('an event’s page', () => {
  test('shows rules and ranking of a running event', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/en')
      await page.getByRole('link', { name: running.name_en, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: running.name_en }).waitFor()
      assert.equal(new URL(page.url()).pathname, `/en/event/${running.id}`)
      const places = page.getByRole('heading', { name: 'Ranking', exact: true }).locator('xpath=ancestor::section')
      const rows = places.getByRole('listitem')
      await rows.first().waitFor()
      assert.equal(await rows.count(), 10)
      const first = await rows.first().innerText()
      assert.ok(first.includes(String(best[0].votes_count)), first)
      await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor()
      await page.getByRole('table', { name: 'Places of the top ten, day by day' }).waitFor()
      await visit.lookAround('competition')
      await visit.keepPicture('competition-whole-desktop', { whole: true })
      await page.setViewportSize(PHONE)
      await visit.keepPicture('competition-whole-phone', { whole: true })
      await page.getByRole('button', { name: `Show all (${best.length})`, exact: true }).click()
      assert.equal(await rows.count(), best.length)
    }))

  test('shows the result of a finished event', () =>
    visiting({}, async (visit, page) => {
      const html = await (await fetch(`${server.url}/en/event/${finished.id}`)).text()
      assert.ok(html.includes(`<title>${finished.name_en}: rules`), html.slice(0, 2000))
      await page.goto(`/en/event/${finished.id}`)
      await page.getByText('Target reached').waitFor()
      assert.equal(await page.getByRole('list', { name: 'Winners' }).getByRole('listitem').count(), 3)
      const text = await page.getByText(/gathered by the top ten/).innerText()
      assert.equal(numberIn(/ten: (\S+), for/.exec(text)[1]), finished.total_votes)
      await visit.glance('competition-over')
    }))

  test('that is not there is not found', () =>
    visiting({}, async (visit, page) => {
      visit.expectRefusal(404, '/en/event/00000000-0000-4000-8000-000000000000')
      await page.goto('/en/event/00000000-0000-4000-8000-000000000000')
      await page.getByRole('heading', { level: 1 }).waitFor()
    }))
})

test('event list keeps its filters and order', () =>
  visiting({}, async (visit, page) => {
    await page.goto('/en?sort=competitive&prestige=regular-only')
    const cards = page.locator('#server-list article')
    await cards.first().waitFor()
    assert.equal(new URL(page.url()).search, '?sort=competitive&prestige=regular-only')
    const names = await cards.getByRole('heading', { level: 3 }).allTextContents()
    const order = names.map((name) => best.findIndex((row) => row.name === name))
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    )
    assert.ok(!order.includes(-1), String(names))
    await page.getByRole('link', { name: `Rules and result of “${running.name_en}”` }).waitFor()
    await visit.glance('competition-list')
  }))

test('sponsored label links to the ranking explanation', () =>
  visiting({}, async (visit, page) => {
    await page.goto('/en')
    await page.locator('#server-list article').first().waitFor()
    await page.getByRole('link', { name: 'Sponsored', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'How the ranking works' }).waitFor()
    await page.getByText('2 hours').first().waitFor()
    await visit.lookAround('how-ranking')
    await page.getByRole('contentinfo').getByRole('link', { name: 'The ranking explained' }).waitFor()
  }))
