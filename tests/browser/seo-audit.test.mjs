// The site's audit of its own pages, as people see it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { startServer } from '../support/server.mjs'

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
  // The first who asks waits until all pages are read and their cards drawn, which takes long in a debug build.
  assert.equal((await fetch(`${server.url}/api/seo-audit`)).status, 200)
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (look) => Visit.during(browser, { url: server.url }, look)

describe('the audit', () => {
  test('shows the pages of an opened page type', () =>
    visiting(async (visit, page) => {
      await page.goto('/seo-audit')
      await page.getByRole('heading', { level: 1, name: 'Audit SEO' }).waitFor()
      const kinds = page.getByRole('region', { name: 'Types de pages' })
      const homeRow = kinds.getByRole('group').filter({ hasText: 'Classement' }).first()
      await homeRow.locator('summary').click()
      await homeRow.getByRole('link', { name: `${server.url}/en` }).waitFor()
      await visit.lookAround('seo-audit')
      await visit.keepPicture('seo-audit-whole', { whole: true })
    }))

  test('keeps what is shown in the address', () =>
    visiting(async (_, page) => {
      for (const [path, tab] of [
        ['/seo-audit', 'Sans problème'],
        ['/en/seo-audit', 'No issues'],
        ['/es/seo-audit', 'Sin problemas'],
      ]) {
        await page.goto(path)
        await page.getByRole('link', { name: tab, exact: true }).click()
        await page.waitForURL(`**${path}?show=fine`)
        assert.equal(await page.getByRole('link', { name: tab, exact: true }).getAttribute('aria-current'), 'page')
      }
    }))
})
