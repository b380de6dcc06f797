// Legal requirements of a visit: no cookie, no request to third parties, and a privacy policy that says so.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { startServer } from '../support/server.mjs'

const ADMIN = { email: 'admin@palmares.test', password: 'palmares-demo' }

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

/** Visits and records the headers of every answer and every requested address; none may break the rules. */
const watched = (look) =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const hosts = new Set()
    const paths = []
    const answered = []
    visit.context.on('request', (request) => {
      if (/^(https?|wss?):/.test(request.url())) hosts.add(new URL(request.url()).origin)
    })
    visit.context.on('response', (response) => {
      paths.push(new URL(response.url()).pathname)
      answered.push(response.headersArray())
    })
    await look(visit, page)
    await visit.waitForQuietNetwork()
    const headers = (await Promise.all(answered)).flat()
    assert.ok(headers.length > 100)
    assert.deepEqual(headers.filter(({ name }) => name.toLowerCase() === 'set-cookie'), [])
    assert.deepEqual([...hosts], [new URL(server.url).origin])
    assert.deepEqual(await visit.context.cookies(), [])
    const storedKeys = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }))
    assert.deepEqual(storedKeys.filter((key) => !key.startsWith('palmares')), [])
    assert.equal(await page.evaluate(() => document.cookie), '')
    return paths
  })

const heading = (page) => page.getByRole('heading', { level: 1 })

describe('no cookie banner is needed, because nothing sets a cookie and nobody else is asked', () => {
  test('by a visitor who opens the vote dialog', () =>
    watched(async (_, page) => {
      for (const path of ['/', '/leaderboard', '/privacy', '/terms', '/terms-of-sale', '/signaler']) {
        await page.goto(path)
        await heading(page).first().waitFor()
      }
      await page.goto('/serveur/loupgarde')
      await page.getByRole('button', { name: /^Voter pour/ }).first().click()
      await page.getByRole('dialog').getByLabel('Pseudo').waitFor()
    }))

  test('by an administrator who signs in and works', () =>
    watched(async (_, page) => {
      await page.goto('/')
      await page.getByRole('banner').getByRole('button', { name: 'Connexion' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Adresse e-mail').fill(ADMIN.email)
      await dialog.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password)
      const signedIn = page.waitForResponse((response) => response.url().includes('/auth/v1/token'))
      await page.keyboard.press('Enter')
      await signedIn
      await dialog.waitFor({ state: 'detached' })
      for (const path of ['/profile', '/admin', '/admin/moderation', '/admin/settings']) {
        await page.goto(path)
        await heading(page).first().waitFor()
      }
    }))
})

test('the privacy policy says so', () =>
  watched(async (_, page) => {
    await page.goto('/privacy')
    await page.getByRole('article').getByText('Le site ne pose aucun cookie').first().waitFor()
  }))
