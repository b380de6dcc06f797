// What is sold, in each language at each width: bought, failed, left and resumed, withdrawn from and refunded, booked;
// once with the session lost on the way, and once at a provider that takes real money.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Stripe from 'stripe'

import { DESKTOP, PHONE, Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startPictureSite } from '../support/picture-site.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { startStripe } from '../support/stripe.mjs'
import { textsOf } from '../support/texts.mjs'

const PASSWORD = 'a secret of a buyer'
const WEBHOOK_SECRET = 'whsec_of_the_walk'
const LOCALES = { fr: 'fr-FR', en: 'en-GB', es: 'es-ES' }

let server
let browser
let otherSite

before(async () => {
  ;[server, browser, otherSite] = await Promise.all([
    startServer({ args: ['--demo'], env: { COMPAT_RATE_LIMITS: 'false', OUTGOING_ALLOWED_HOSTS: '127.0.0.1' } }),
    launch(),
    startPictureSite(),
  ])
  await asOwner(server, "update public.arcade_spots set status = 'cancelled'")
})
after(() => Promise.all([browser?.close(), server?.stop(), otherSite?.stop()]))

/** Somebody with a server of their own, who reads one language. */
class Buyer {
  static async of(site, language, name) {
    const email = `${name}@example.org`
    const { auth } = createClient(site.url, site.keys.SERVICE_ROLE_KEY)
    const { data, error } = await auth.admin.createUser({
      email,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { username: name },
    })
    assert.equal(error, null)
    const [listing] = await asOwner(
      site,
      `insert into public.servers (name, game_id, owner_id, is_approved)
       select 'Port ${name}', id, '${data.user.id}', true from public.games where slug = 'rust' returning id`,
    )
    return Object.assign(new Buyer(), { site, email, id: data.user.id, listing, server: `Port ${name}`, language })
  }

  /** Looks with a browser of their own. */
  buys(viewport, look) {
    const { language, site } = this
    this.t = textsOf(language)
    this.prefix = language === 'fr' ? '' : `/${language}`
    return Visit.during(browser, { url: site.url, viewport, locale: LOCALES[language] }, (visit, page) => {
      Object.assign(this, { visit, page })
      return look(visit, page)
    })
  }

  go(path) {
    return this.page.goto(this.prefix + path)
  }

  async signIn() {
    const { page, t } = this
    await page.getByRole('main').getByRole('button', { name: t('access:signIn.enter'), exact: true }).click()
    await this.answerSignIn()
  }

  async answerSignIn() {
    const { page, t } = this
    const dialog = page.getByRole('dialog', { name: t('auth:signIn.title'), exact: true })
    await dialog.getByLabel(t('auth:field.email')).fill(this.email)
    await dialog.getByLabel(t('auth:field.password'), { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: t('auth:signIn.submit'), exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  /** Signs out in another tab. */
  async signOutBeside() {
    const { t } = this
    const tab = await this.page.context().newPage()
    await tab.goto(`${this.prefix}/privacy`)
    await tab.getByRole('button', { name: t('shell:account.open') }).click()
    await tab.getByRole('button', { name: t('shell:account.signOut'), exact: true }).click()
    await tab.getByRole('button', { name: t('shell:account.signIn'), exact: true }).first().waitFor()
    await tab.close()
  }

  get main() {
    return this.page.getByRole('main')
  }

  /** The window where days are chosen. */
  get dialog() {
    return this.page.getByRole('dialog', { name: this.t('prestige:title', { server: this.server }), exact: true })
  }

  orderIn(place) {
    return place.getByRole('button', { name: this.t('checkout:order.submit'), exact: true })
  }

  async orderPrestige() {
    await this.page
      .getByRole('button', { name: this.t('profile:servers.promoteNamed', { server: this.server }) })
      .click()
    await this.dialog.getByRole('checkbox').check()
    await this.orderIn(this.dialog).click()
  }

  /** The page that stands in for a provider's, in the buyer's language, and one of its buttons. */
  async atProvider(choice) {
    await this.page.waitForURL(/\/payments\/test\//)
    assert.equal(await this.page.locator('html').getAttribute('lang'), this.language)
    await this.page.locator(`button[value=${choice}]`).click()
  }

  async reads(key, values) {
    await this.page.getByRole('heading', { level: 1, name: this.t(key, values), exact: true }).waitFor()
  }

  /** Chooses a day of next month and the day after it. */
  async chooseDays(from) {
    const calendar = this.page.getByRole('group', { name: this.t('arcade:field.days'), exact: true }).last()
    await calendar.getByRole('button').nth(1).click()
    for (const day of [from, from + 1])
      await calendar.getByRole('button', { name: new RegExp(`(^|\\D)${day}(\\D|$)`) }).first().click()
  }

  async fillTile(position, day) {
    const { page, t } = this
    await page.getByRole('radio', { name: t(`arcade:position.${position}`), exact: true }).check()
    await this.chooseDays(day)
    await page.getByLabel(t('arcade:field.pictureAddress')).fill(otherSite.picture)
    await page.getByRole('img', { name: t('form:image.current'), exact: true }).last().waitFor()
    await page.getByLabel(t('arcade:field.website')).fill('https://port.example')
    await page.getByLabel(t('arcade:field.server')).selectOption({ label: this.server })
  }

  async payments() {
    return asOwner(this.site, `select * from public.payments where user_id = '${this.id}' order by created_at, id`)
  }

  async states() {
    return (await this.payments()).map(({ state }) => state)
  }
}

/** Buys, fails, abandons, resumes, withdraws and is refunded, then books. */
async function purchase(buyer, day, { pictures }) {
  const { page, visit, t } = buyer
  const look = (name) => (pictures ? visit.glance(`purchases-${name}`) : visit.assertAccessible(name, { colours: false }))
  const creditNote = new RegExp(`^${t('payments:paper.credit', { number: '' }).trim()}`)
  const days = (count) => t('payments:subject.prestige_other', { count })
  await buyer.go('/profile')
  await buyer.signIn()
  await buyer.orderPrestige()
  await buyer.atProvider('fail')
  await buyer.reads('checkout:failed.title')
  await look('failed')

  await buyer.go('/profile')
  await buyer.orderPrestige()
  await page.waitForURL(/\/payments\/test\//)
  await visit.assertAccessible('the provider’s page')
  await buyer.atProvider('cancel')
  await page.waitForURL(/cancelled=1/)
  await page.getByText(t('own-server:prestige.cancelled')).waitFor()
  await look('cancelled')

  await buyer.go('/profile')
  await page.getByRole('link', { name: t('payments:resumeNamed', { name: days(30) }), exact: true }).click()
  await buyer.atProvider('pay')
  await buyer.reads('checkout:paid.title')
  await look('paid')

  await buyer.go('/profile')
  await page.getByRole('button', { name: t('payments:withdrawal.begin') }).click()
  const question = page.getByRole('dialog', { name: t('payments:withdrawal.title', { name: days(30) }), exact: true })
  await question.getByRole('button', { name: t('payments:withdrawal.confirm') }).waitFor()
  await look('withdrawal')
  await question.getByRole('button', { name: t('payments:withdrawal.confirm') }).click()
  await question.waitFor({ state: 'detached' })
  await eventually(async () => (await buyer.states()).includes('refunded'))
  await page.reload()
  await page.getByText(t('payments:state.refunded'), { exact: true }).waitFor()
  await page.getByText(t('payments:state.failed'), { exact: true }).waitFor()
  await look('refunded')
  await page.getByRole('link', { name: creditNote }).first().click()
  await page.getByRole('heading', { level: 1, name: t('payments:paper.credit', { number: '' }).trim() }).waitFor()
  await look('credit-note')

  await buyer.go('/arcade-spots-management')
  await buyer.reads('arcade:title')
  await buyer.fillTile(2, day)
  await look('booking')
  await page.getByRole('checkbox').check()
  const beside = page.context().waitForEvent('page')
  await buyer.orderIn(page).click()
  buyer.page = await beside
  await buyer.atProvider('pay')
  await buyer.reads('checkout:paid.title')
  await buyer.page.getByText(t('payments:subject.arcadeAt.2_other', { count: 2 })).waitFor()
  await buyer.page.close()
  buyer.page = page
  await page.reload()
  await page.getByText(t('payments:spot.paid'), { exact: true }).waitFor()
  await look('bookings')
  assert.deepEqual(await buyer.states(), ['failed', 'refunded', 'paid'])
}

describe('every purchase', { concurrency: 2 }, () => {
  const looks = Object.keys(LOCALES).flatMap((language) => [
    { language, width: 'phone', viewport: PHONE },
    { language, width: 'desktop', viewport: DESKTOP },
  ])
  for (const [number, { language, width, viewport }] of looks.entries())
    test(`completes in ${language} on a ${width}`, async () => {
      const buyer = await Buyer.of(server, language, `${width}-${language}`)
      await buyer.buys(viewport, () => purchase(buyer, 3 + 3 * number, { pictures: language === 'fr' && width === 'phone' }))
    })
})

test('expired session keeps form, order and payment', async () => {
  const buyer = await Buyer.of(server, 'fr', 'absent')
  await buyer.buys(PHONE, async (visit, page) => {
    const { t } = buyer
    await buyer.go('/arcade-spots-management')
    await buyer.signIn()
    await buyer.reads('arcade:title')
    await buyer.fillTile(3, 10)
    const days = page.getByText(/^2 jours, du /)
    const website = page.getByLabel(t('arcade:field.website'))
    await days.waitFor()
    await buyer.signOutBeside()
    await buyer.main.getByRole('button', { name: t('access:signIn.enter'), exact: true }).waitFor()
    await visit.glance('purchases-signed-out')
    await buyer.signIn()
    assert.equal(await website.inputValue(), 'https://port.example')
    assert.equal(await page.getByLabel(t('arcade:field.pictureAddress')).inputValue(), otherSite.picture)
    assert.equal(await page.getByRole('radio', { name: t('arcade:position.3'), exact: true }).isChecked(), true)
    await days.waitFor()
    await page.getByRole('checkbox').check()
    const beside = page.context().waitForEvent('page')
    await buyer.orderIn(page).click()
    const checkout = await beside
    await checkout.waitForURL(/\/payments\/test\//)

    // Cancelled after the session has ended: the order is shown again after signing in, and is paid without a session.
    await buyer.signOutBeside()
    buyer.page = checkout
    await buyer.atProvider('cancel')
    await checkout.waitForURL(/cancelled=1/)
    await buyer.signIn()
    await checkout.getByText(t('arcade:cancelled')).waitFor()
    await checkout.getByRole('link', { name: /^Reprendre le paiement/ }).click()
    await checkout.waitForURL(/\/payments\/test\//)
    await checkout.context().clearCookies()
    await checkout.evaluate(() => localStorage.clear()).catch(() => {})
    await buyer.atProvider('pay')
    await buyer.reads('checkout:paid.title')
    assert.equal(await checkout.getByRole('link', { name: t('payments:ways.purchases') }).count(), 0)
    assert.deepEqual(await buyer.states(), ['paid'])
  })
})

test('delayed payment is awaited, expired session is shown', async () => {
  const buyer = await Buyer.of(server, 'fr', 'patient')
  await buyer.buys(DESKTOP, async (visit, page) => {
    await buyer.go('/profile')
    await buyer.signIn()
    await buyer.orderPrestige()
    await buyer.atProvider('later')
    await buyer.reads('checkout:open.title')
    await page.getByText(buyer.t('checkout:open.slow')).waitFor()
    await visit.glance('purchases-verifying')
    // The money comes after twenty seconds, and the page asks ever more slowly.
    await page.getByRole('heading', { level: 1, name: buyer.t('checkout:paid.title') }).waitFor()
    await page.getByRole('link', { name: buyer.t('payments:ways.server') }).waitFor()

    await buyer.go(`/edit-server/${buyer.listing.id}/prestige`)
    await page.getByRole('button', { name: buyer.t('own-server:prestige.extend') }).click()
    await buyer.dialog.getByRole('checkbox').check()
    await buyer.orderIn(buyer.dialog).click()
    await page.waitForURL(/\/payments\/test\//)
    const session = page.url().split('/').at(-1)
    await asOwner(
      server,
      `update public.payments set expires_at = now(), look_at = now() where session_id = '${session}';
       update public.test_checkouts set expires_at = now() where session_id = '${session}'`,
    )
    await eventually(async () => (await buyer.states()).at(-1) === 'expired')
    await buyer.go(`/prestige/success?session_id=${session}`)
    await buyer.reads('checkout:expired.title')
    await visit.glance('purchases-expired')
    assert.deepEqual(await buyer.states(), ['paid', 'expired'])
  })
})

test('Stripe payment is counted once and refunded', async (test) => {
  const standIn = await startStripe()
  const site = await startServer({
    args: ['--demo'],
    env: {
      COMPAT_RATE_LIMITS: 'false',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: standIn.key,
      STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
      STRIPE_API_URL: standIn.url,
    },
  })
  test.after(async () => {
    await site.stop()
    standIn.stop()
  })
  const buyer = await Buyer.of(site, 'fr', 'estelle')
  await buyer.buys(DESKTOP, async (visit, page) => {
    const { t } = buyer
    await buyer.go('/my-votes')
    await buyer.signIn()
    await buyer.go(`/?q=${encodeURIComponent(buyer.server)}`)
    const card = page.getByRole('article').filter({ hasText: buyer.server })
    const promote = card.getByRole('button', { name: t('ranking-list:card.promote', { name: buyer.server }) })
    await promote.waitFor()
    await visit.glance('purchases-own-card')
    await promote.click()
    await buyer.dialog.getByRole('checkbox').check()
    await visit.glance('purchases-from-card')
    await buyer.orderIn(buyer.dialog).click()
    await page.waitForURL(`${standIn.url}/pay/**`)
    await page.getByRole('button', { name: 'Pay' }).click()
    await buyer.reads('checkout:paid.title')
    await visit.assertAccessible('paid at the provider')

    // Stripe delivers the event twice; the payment has been counted already and is not counted again.
    const library = new Stripe('sk_unused')
    const payload = JSON.stringify(standIn.paidEvents[0])
    for (let time = 1; time <= 2; time++) {
      const answer = await fetch(`${site.url}/payments/webhooks/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': library.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET }) },
        body: payload,
      })
      assert.equal(answer.status, 200)
    }
    assert.deepEqual(await buyer.states(), ['paid'])
    assert.equal(standIn.balance(), (await buyer.payments())[0].amount_cents)

    await buyer.go('/profile')
    await page.getByRole('button', { name: t('payments:withdrawal.begin') }).click()
    const question = page.getByRole('dialog', { name: /^Renoncer au contrat/ })
    await question.getByRole('button', { name: t('payments:withdrawal.confirm') }).click()
    await question.waitFor({ state: 'detached' })
    await eventually(async () => (await buyer.states())[0] === 'refunded')
    const [{ amount_cents: paid, refunded_cents: refunded }] = await buyer.payments()
    assert.equal(standIn.balance(), paid - refunded)
    await page.reload()
    await page.getByText(t('payments:state.refunded'), { exact: true }).waitFor()
    await visit.assertAccessible('refunded by the provider')
  })
})
