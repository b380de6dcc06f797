// Purchases of owners with the test provider: Prestige, a tile, payments that fail, are abandoned and resumed, a
// withdrawal and its documents. In French, at both widths; the same pages are checked in the other languages.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { DESKTOP, PHONE, Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startPictureSite } from '../support/picture-site.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const PASSWORD = 'a secret of a buyer'
const t = textsOf('fr')

let server
let browser
let otherSite

before(async () => {
  ;[server, browser, otherSite] = await Promise.all([
    startServer({ args: ['--demo'], env: { COMPAT_RATE_LIMITS: 'false', OUTGOING_ALLOWED_HOSTS: '127.0.0.1' } }),
    launch(),
    startPictureSite(),
  ])
  // The demonstration's bookings reach into next month late in a month.
  await asOwner(server, "update public.arcade_spots set status = 'cancelled'")
})
after(() => Promise.all([browser?.close(), server?.stop(), otherSite?.stop()]))

/** Somebody with a server of their own. */
async function owner(name) {
  const email = `${name}@example.org`
  const { auth } = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
  const { data, error } = await auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { username: name },
  })
  assert.equal(error, null)
  const [listing] = await asOwner(
    server,
    `insert into public.servers (name, game_id, owner_id, is_approved)
     select 'Port ${name}', id, '${data.user.id}', true from public.games where slug = 'rust' returning id, slug`,
  )
  return { email, id: data.user.id, listing, name: `Port ${name}` }
}

async function signIn(page, email, words = t) {
  await page.getByRole('main').getByRole('button', { name: words('access:signIn.enter'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: words('auth:signIn.title'), exact: true })
  await dialog.getByLabel(words('auth:field.email')).fill(email)
  await dialog.getByLabel(words('auth:field.password'), { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: words('auth:signIn.submit'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)
const paymentsOf = (userId) =>
  asOwner(server, `select * from public.payments where user_id = '${userId}' order by created_at desc`)
const stateOf = async (userId) => (await paymentsOf(userId))[0]?.state

/** The provider's page, and one of its four buttons. */
async function atProvider(page, choice) {
  await page.waitForURL(/\/payments\/test\//)
  await page.locator(`button[value=${choice}]`).click()
}

const order = (place) => place.getByRole('button', { name: t('checkout:order.submit'), exact: true })

/** Chooses days of next month and returns their dates, `yyyy-mm-dd`. */
async function chooseDays(page, from, to) {
  const calendar = page.getByRole('group', { name: t('arcade:field.days'), exact: true }).last()
  await calendar.getByRole('button').nth(1).click()
  const day = (number) => calendar.getByRole('button', { name: new RegExp(`^\\S+ ${number} `) })
  await day(from).click()
  await day(to).click()
  const first = await day(from).locator('xpath=ancestor::*[@data-day]').getAttribute('data-day')
  const month = first.slice(0, 'yyyy-mm-'.length)
  return Array.from({ length: to - from + 1 }, (_, at) => month + (from + at))
}

describe('Prestige', () => {
  test('is paid after a failed and canceled checkout', async () => {
    const ada = await owner('ada')
    await visiting({ viewport: DESKTOP }, async (visit, page) => {
      await page.goto('/profile')
      await signIn(page, ada.email)
      const open = page.getByRole('button', { name: t('profile:servers.promoteNamed', { server: ada.name }) })
      const dialog = page.getByRole('dialog', { name: t('prestige:title', { server: ada.name }), exact: true })
      await open.click()
      await dialog.getByText(t('prestige:gives.slot')).waitFor()
      await dialog.getByText(/Prestige jusqu’au/).waitFor()
      await visit.lookAround('payments-prestige')
      await order(dialog).click()
      await dialog.getByText(t('checkout:order.consentMissing')).waitFor()
      await dialog.getByRole('radio', { name: /^15/ }).check()
      await dialog.getByRole('checkbox').check()
      await order(dialog).click()
      await atProvider(page, 'fail')
      await page.getByRole('heading', { name: t('checkout:failed.title') }).waitFor()
      await visit.glance('payments-failed')

      await page.goto('/profile')
      await open.click()
      await dialog.getByRole('checkbox').check()
      await order(dialog).click()
      await atProvider(page, 'cancel')
      await page.waitForURL(/cancelled=1/)
      await page.getByText(t('own-server:prestige.cancelled')).waitFor()

      await page.goto('/profile')
      await page.getByRole('link', { name: /^Reprendre le paiement/ }).click()
      await atProvider(page, 'pay')
      await page.getByRole('heading', { name: t('checkout:paid.title') }).waitFor()
      await visit.lookAround('payments-paid')
      assert.equal(await stateOf(ada.id), 'paid')
      // The session id in the address is enough to read the state, without an account.
      const address = page.url()
      await visiting({ viewport: PHONE }, async (_, guest) => {
        await guest.goto(address)
        await guest.getByRole('heading', { name: t('checkout:paid.title') }).waitFor()
        assert.equal(await guest.getByRole('link', { name: t('payments:ways.purchases') }).count(), 0)
      })

      await page.goto('/profile')
      await page.getByText(/^Valable jusqu’au/).first().waitFor()
      await visit.lookAround('payments-profile')
      await page.getByRole('link', { name: /^Reçu n°/ }).first().click()
      await page.getByRole('heading', { level: 1, name: /^Reçu n°/ }).waitFor()
      await visit.lookAround('payments-receipt')
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.getByRole('banner').isVisible(), false)
      await visit.keepPicture('payments-receipt-print')
    })
  })

  test('is refunded after a withdrawal in two steps', async () => {
    const grace = await owner('grace')
    await visiting({ viewport: PHONE }, async (visit, page) => {
      await page.goto(`/edit-server/${grace.listing.id}/prestige`)
      await signIn(page, grace.email)
      await page.getByRole('button', { name: t('own-server:prestige.activate') }).click()
      const dialog = page.getByRole('dialog', { name: t('prestige:title', { server: grace.name }), exact: true })
      await dialog.getByRole('checkbox').check()
      await order(dialog).click()
      await atProvider(page, 'pay')
      await page.getByRole('heading', { name: t('checkout:paid.title') }).waitFor()

      await page.goto('/profile')
      await page.getByRole('button', { name: t('payments:withdrawal.begin') }).click()
      const question = page.getByRole('dialog', { name: /^Renoncer au contrat/ })
      await question.getByText(/Montant remboursé/).waitFor()
      await visit.lookAround('payments-withdrawal')
      assert.equal(await stateOf(grace.id), 'paid')
      await question.getByRole('button', { name: t('payments:withdrawal.confirm') }).click()
      await question.waitFor({ state: 'detached' })
      await eventually(async () => (await stateOf(grace.id)) === 'refunded')
      await page.reload()
      await page.getByText(t('payments:state.refunded'), { exact: true }).waitFor()
      await page.getByRole('link', { name: /^Avoir n°/ }).first().waitFor()
      const [listing] = await asOwner(
        server,
        `select prestige_expires_at > now() + interval '2 days' as runs from public.servers where id = '${grace.listing.id}'`,
      )
      assert.notEqual(listing.runs, true)
    })
  })
})

describe('an Arcade spot', () => {
  test('is rebooked after a conflict and resumed', async () => {
    const lin = await owner('lin')
    await visiting({ viewport: DESKTOP }, async (visit, page) => {
      await page.goto('/')
      await page.getByRole('link', { name: t('home:arcade.book'), exact: true }).click()
      await signIn(page, lin.email)
      await page.getByRole('heading', { level: 1, name: t('arcade:title') }).waitFor()
      await order(page).click()
      for (const words of ['Dates manquantes', 'Image manquante']) await page.getByText(words, { exact: true }).waitFor()
      await page.getByRole('radio', { name: t('arcade:position.2'), exact: true }).check()
      const [, second] = await chooseDays(page, 10, 13)
      const address = page.getByLabel(t('arcade:field.pictureAddress'))
      visit.expectRefusal(400, '/functions/v1/copy-picture')
      await address.fill(otherSite.page)
      await page.getByText(t('form:image.problem.typeMoving')).waitFor()
      await visit.glance('payments-booking-no-picture')
      await address.fill(otherSite.picture)
      const preview = page.getByRole('region', { name: t('arcade:preview.title') })
      await preview.locator('img[src*="/server-images/arcade-spots/"]').waitFor()
      await page.getByRole('group', { name: t('arcade:field.picture'), exact: true }).locator('input[type=file]').setInputFiles({
        name: 'moving.gif',
        mimeType: 'image/gif',
        buffer: Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
      })
      await page.getByRole('group', { name: t('arcade:field.picture'), exact: true }).getByRole('img').waitFor()
      assert.equal(await page.getByLabel(t('arcade:field.pictureAddress')).inputValue(), '')
      await page.getByLabel(t('arcade:field.server')).selectOption({ label: lin.name })
      await page.getByRole('region', { name: t('arcade:preview.title') }).getByText(lin.name).waitFor()
      await page.getByText('40,00').waitFor()
      await visit.lookAround('payments-booking')

      // Another owner books the day first.
      const [rival] = await asOwner(
        server,
        `insert into public.arcade_spots (position, start_date, end_date, image_url, price_per_day, total_amount, status)
         values (2, '${second}', '${second}', '/pictures/backdrop.svg', 0, 0, 'paid') returning id`,
      )
      assert.ok(rival.id)
      await page.getByRole('checkbox').check()
      visit.expectRefusal(409, '/functions/v1/create-arcade-spot-payment')
      await order(page).click()
      await page.getByText(t('arcade:left.some')).waitFor()
      await visit.glance('payments-race')
      await page.getByRole('button', { name: /^du 12 .* au 13 / }).click()
      const [, beside] = await Promise.all([order(page).click(), page.context().waitForEvent('page')])
      await atProvider(beside, 'cancel')
      await beside.waitForURL(/cancelled=1/)
      await beside.getByRole('link', { name: /^Reprendre le paiement/ }).click()
      await atProvider(beside, 'pay')
      await beside.getByRole('heading', { name: t('checkout:paid.title') }).waitFor()
      await beside.close()
      await page.reload()
      await page.getByText(t('payments:spot.paid'), { exact: true }).waitFor()
      await visit.glance('payments-bookings')
      assert.equal(await stateOf(lin.id), 'paid')
    })
  })
})

describe('who comes back without a payment', () => {
  for (const language of ['fr', 'en', 'es'])
    test(`shows a missing payment in ${language}`, () =>
      visiting({ viewport: PHONE }, async (visit, page) => {
        const words = textsOf(language)
        const prefix = language === 'fr' ? '' : `/${language}`
        for (const path of ['prestige/success', 'arcade-spots/success']) {
          await page.goto(`${prefix}/${path}`)
          await page.getByRole('heading', { level: 1, name: words('checkout:missing.title') }).waitFor()
          await visit.assertAccessible(path, { colours: language === 'fr' })
          await page.goto(`${prefix}/${path}?session_id=nobody-knows`)
          await page.getByRole('heading', { level: 1, name: words('checkout:nowhere.title') }).waitFor()
        }
      }))
})
