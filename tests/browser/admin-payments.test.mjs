// Money and prizes in the administration: prices, payments and refunds, booked tiles, contests, and the figures of the
// site.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { signInAs } from '../support/demo.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const t = textsOf('fr')

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ args: ['--demo'], env: { COMPAT_RATE_LIMITS: 'false' } }),
    launch(),
  ])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

/** Looks as an administrator. */
const administering = (path, look) =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    await signInAs(page, server, 'admin@palmares.test')
    await page.goto(path)
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1 }).waitFor()
    await look(visit, page, main)
  })

const button = (within, name) => within.getByRole('button', { name, exact: true })
const one = async (sql) => (await asOwner(server, sql))[0]

test('Prestige price tier is added and removed', () =>
  administering('/admin/prestige-pricing', async (visit, page, main) => {
    const steps = main.getByRole('list', { name: t('pages:adminPrestigePricing') }).getByRole('listitem')
    await steps.first().waitFor()
    const before = await steps.count()
    await button(main, t('admin-money:prices.add')).click()
    const dialog = page.getByRole('dialog', {
      name: t('admin-money:prices.addTitle'),
    })
    await dialog.getByLabel(t('admin-money:prices.minDays')).fill('3000')
    await dialog.getByLabel(t('admin-money:prices.unit')).fill('0,42')
    await visit.glance('admin-prices-dialog')
    await button(dialog, t('admin-money:prices.save')).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(
      (await one('select unit_price_cents from public.prestige_pricing where min_days = 3000')).unit_price_cents,
      42,
    )
    const days = new Intl.NumberFormat('fr', { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(3000)
    const span = t('admin-money:prices.last', { days })
    await main.getByText(span, { exact: true }).waitFor()
    assert.equal(await steps.count(), before + 1)
    await visit.glance('admin-prices')
    await button(main, t('admin-money:prices.removeNamed', { span })).click()
    await button(page.getByRole('alertdialog'), t('admin-money:prices.remove')).click()
    await main.getByText(span, { exact: true }).waitFor({ state: 'detached' })
  }))

test('the price of a tile’s day is changed', () =>
  administering('/admin/arcade-spots/pricing', async (visit, page, main) => {
    await main.getByRole('textbox', { name: t('admin-arcade:price.unit'), exact: true }).fill('12,50')
    await visit.glance('admin-arcade-price')
    await button(main, t('admin-arcade:price.save')).click()
    await page.getByText(t('admin-arcade:price.saved')).first().waitFor()
    const price = await one('select public.calculate_arcade_spot_price(2) as cents')
    assert.equal(Number(price.cents), 2500)
  }))

test('payments are listed and refunded with a note', () =>
  administering('/admin/prestige-payments?kind=prestige', async (visit, page, main) => {
    const table = main.getByRole('table', {
      name: t('pages:adminPrestigePayments'),
    })
    await table.getByRole('row').nth(1).waitFor()
    await main.getByText(t('admin-money:totals.taken'), { exact: true }).waitFor()
    await visit.glance('admin-payments')
    await table
      .getByRole('button', { name: /^Actions pour (Olivia|Octave)/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: t('admin-money:refund.open') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('admin-money:refund.amount')).fill('5')
    await dialog.getByLabel(t('admin-money:refund.note')).fill('Panne de deux jours')
    await visit.glance('admin-refund')
    await button(dialog, t('admin-money:refund.submit')).click()
    await dialog.waitFor({ state: 'detached' })
    const request = await one(
      "select refund_cents, refund_reason from public.payments where refund_note = 'Panne de deux jours'",
    )
    assert.deepEqual({ ...request }, { refund_cents: 500, refund_reason: 'administrator' })
    await page.reload()
    await table.getByText('Panne de deux jours').first().waitFor()
  }))

test('booked Arcade spots are shown on a timeline', () =>
  administering('/admin/arcade-spots', async (visit, page, main) => {
    await main
      .getByRole('table', { name: t('pages:adminArcadeSpots') })
      .getByRole('row')
      .nth(1)
      .waitFor()
    await main.getByText(t('admin-arcade:lanes.title')).waitFor()
    await visit.glance('admin-arcade-spots')
    await button(main, t('admin-arcade:give.open')).click()
    await page.getByRole('dialog', { name: t('admin-arcade:give.title') }).waitFor()
    await visit.glance('admin-arcade-give')
  }))

test('competitive events are created, conflict-checked and finished', () =>
  administering('/admin/competitive-events', async (visit, page, main) => {
    const table = main.getByRole('table', {
      name: t('pages:adminCompetitiveEvents'),
    })
    await table.getByRole('row').nth(1).waitFor()
    await button(main, t('admin-contests:add')).click()
    const dialog = page.getByRole('dialog', {
      name: t('admin-contests:form.addTitle'),
    })
    await dialog
      .getByRole('textbox', {
        name: t('admin-contests:form.name'),
        exact: true,
      })
      .fill('Coupe du printemps')
    await dialog.getByLabel(t('admin-contests:form.start')).fill('2031-04-10T10:00')
    await dialog.getByLabel(t('admin-contests:form.end')).fill('2031-04-09T10:00')
    await dialog.getByLabel(t('admin-contests:form.target')).fill('1000')
    await button(dialog, t('admin-contests:form.save')).click()
    await dialog.getByText(t('admin-contests:form.endsTooEarly')).waitFor()
    await visit.glance('admin-contest-dialog')
    await dialog.getByLabel(t('admin-contests:form.end')).fill('2031-04-20T10:00')
    await button(dialog, t('admin-contests:form.save')).click()
    await dialog.waitFor({ state: 'detached' })
    await table.getByText('Coupe du printemps').first().waitFor()
    const made = await one(
      "select start_date, target_votes, winner_count from public.competitive_events where name = 'Coupe du printemps'",
    )
    assert.equal(new Date(made.start_date).toISOString(), '2031-04-10T08:00:00.000Z')
    assert.deepEqual([made.target_votes, made.winner_count], [1000, 3])

    // Another administrator acted first.
    const actionsName = t('table:actionsOf', { name: 'Coupe du printemps' })
    await button(table, actionsName).click()
    await page.getByRole('menuitem', { name: t('table:edit') }).click()
    const edited = page.getByRole('dialog', {
      name: t('admin-contests:form.editTitle'),
    })
    await edited.getByLabel(t('admin-contests:form.target')).fill('5')
    await asOwner(server, "update public.competitive_events set winner_count = 5 where name = 'Coupe du printemps'")
    await button(edited, t('admin-contests:form.save')).click()
    await edited.getByText(t('admin-contests:form.changed')).waitFor()
    assert.equal(
      (await one("select target_votes from public.competitive_events where name = 'Coupe du printemps'")).target_votes,
      1000,
    )
    await page.keyboard.press('Escape')

    await asOwner(
      server,
      `insert into public.competitive_events (name, start_date, end_date, target_votes)
       values ('Coupe passée', now() - interval '3 hours', now() - interval '1 hour', 10)`,
    )
    await page.goto('/admin/competitive-events?state=due')
    await button(table, t('table:actionsOf', { name: 'Coupe passée' })).click()
    await page.getByRole('menuitem', { name: t('admin-contests:finalise.open') }).click()
    const ending = page.getByRole('dialog')
    await button(ending, t('admin-contests:finalise.confirm')).click()
    await ending.getByText(t('admin-contests:finalise.missed')).waitFor()
    await visit.glance('admin-contest-ended')
    const ended = await one(
      "select is_finished, is_success, finished_by from public.competitive_events where name = 'Coupe passée'",
    )
    assert.deepEqual({ ...ended }, { is_finished: true, is_success: false, finished_by: 'administrator' })
    await page.goto('/admin/competitive-events')
    await table.getByRole('row').nth(1).waitFor()
    await visit.glance('admin-contests')
  }))

test('site statistics match stored counts per period', () =>
  administering('/admin/stats', async (visit, page, main) => {
    const week = main.getByRole('radio', { name: '7 jours' })
    await week.waitFor()
    await main.getByRole('table', { name: t('admin-stats:drawing.votes') }).waitFor({ state: 'attached' })
    await visit.glance('admin-stats')
    await main.locator('label', { hasText: '7 jours' }).click()
    await page.waitForURL(/range=7/)
    const days = main.getByRole('table', { name: t('admin-stats:drawing.votes') }).locator('tbody tr')
    await eventually(async () => (await days.count()) === 7)
    const votes = await one(
      'select sum(votes)::integer as votes from public.server_daily_counts where day > public.site_today() - 7 and day < public.site_today()',
    )
    const cells = (await days.locator('td').allTextContents()).slice(0, -1)
    assert.equal(
      cells.reduce((sum, text) => sum + Number(text.replace(/\D/g, '')), 0),
      votes.votes,
    )
  }))
