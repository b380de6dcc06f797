// A guest reports a server's page: from its button past the sign-in, or by typing its address. In French only, looked at
// on both screens; the case and the mail are read from the server.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const t = textsOf('fr')

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const say = (key, values) => t(`public-report:${key}`, values)

test('guest reports a server and receives a mail', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    await page.goto('/serveur/loupgarde')
    await page.getByRole('main').getByRole('button', { name: 'Signaler', exact: true }).first().click()
    await page.getByRole('dialog').getByRole('link', { name: t('auth:notice.link') }).click()
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: say('title') }).waitFor()
    await main.getByText(t('captcha:state.ready')).waitFor()
    await visit.glance('notice')

    await main.getByRole('button', { name: say('submit') }).click()
    await main.getByText(say('problem.reason')).first().waitFor()
    await main.getByRole('radio', { name: t('report:reason.copyright') }).click()
    await main.getByRole('textbox', { name: say('explanation.label') }).fill('La bannière est une image à nous.')
    await main.getByRole('textbox', { name: say('name') }).fill('Ada')
    await main.getByRole('textbox', { name: say('email.label') }).fill('ada@example.test')
    await main.getByRole('checkbox', { name: say('isTrue') }).click()
    await main.getByRole('button', { name: say('submit') }).click()
    await main.getByRole('heading', { name: say('done.title') }).waitFor()
    await visit.glance('notice-sent')

    const [report] = await asOwner(
      server,
      `select n.name, n.explanation, c.label
       from public.report_notices as n
       join public.reports as r on r.id = n.report_id
       join public.moderation_cases as c on c.subject_id = r.server_id and c.kind = 'report'
       where n.email = 'ada@example.test'`,
    )
    assert.equal(report.name, 'Ada')
    assert.equal(report.explanation, 'La bannière est une image à nous.')
    await eventually(async () => {
      const mails = await (await fetch(`${server.url}/mailbox`, { headers: { accept: 'application/json' } })).json()
      return JSON.stringify(mails).includes('ada@example.test')
    })
  }))

test('a visitor from outside names the page', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    await page.goto('/')
    await page.getByRole('contentinfo').getByRole('link', { name: t('shell:footer.publicReport') }).click()
    const main = page.getByRole('main')
    const address = main.getByRole('textbox', { name: say('address.label') })
    await address.fill('https://ailleurs.example/truc')
    await main.getByRole('button', { name: say('address.next') }).click()
    await main.getByText(say('address.unknown')).waitFor()
    await visit.glance('notice-address')
    await address.fill(`${server.url}/en/server/loupgarde`)
    await main.getByRole('button', { name: say('address.next') }).click()
    await main.getByText(say('about'), { exact: true }).waitFor()
  }))
