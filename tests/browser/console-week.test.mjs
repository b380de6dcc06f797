// An operator's week in the console of a shop: somebody who never opens a terminal looks after it from Monday to Sunday,
// and on Sunday a mistake is taken back by a restore. axe looks where no other test does.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { launch, Visit } from '../support/browser.mjs'
import { firstLink } from '../support/console.mjs'
import { serve } from '../support/project.mjs'

const OWNER = { email: 'ada@console.test', password: 'correct horse battery' }
const READER = { email: 'cy@console.test', password: 'another sentence of words' }

let project
let browser
let eve
/** The cookies of the owner, once signed in. */
let signedIn

before(async () => {
  ;[project, browser] = await Promise.all([serve('shop'), launch()])
  eve = await project.account('eve')
})
after(() => Promise.all([browser?.close(), project?.end()]))

const visiting = (look, theme = 'light') => Visit.during(browser, { url: project.url, locale: 'en-GB', theme }, look)
const visitAsOwner = (look) =>
  visiting(async (visit, page) => {
    await visit.context.addCookies(signedIn)
    await look(visit, page)
  })
const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor()
const button = (page, name) => page.getByRole('button', { name, exact: true })
const row = (page, text) => page.getByRole('row').filter({ hasText: text })

/** Opens the menu of the backup that was made by hand, and chooses. */
async function act(page, name) {
  await row(page, 'By hand').getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Chooses an account by a link of the console. */
async function accept(page, link, { email, password }) {
  await page.goto(link.pathname + link.search)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Choose a password').fill(password)
  await button(page, 'Create the account').click()
  await heading(page, 'Overview')
}

describe("an operator's week", () => {
  test('Monday: signs in and reads a warning', () =>
    visiting(async (visit, page) => {
      await accept(page, firstLink(project.server), OWNER)
      signedIn = await visit.context.cookies()
      await page.getByRole('listitem').filter({ hasText: 'rest' }).getByText('Up').waitFor()
      await page.goto('/console/settings')
      const warnings = page.getByRole('region', { name: 'To mend' })
      await warnings.getByText(OWNER.email).waitFor()
      await visit.glance('week-warnings')
    }))

  test('Monday: bans a user and ends their sessions', () =>
    visitAsOwner(async (_, page) => {
      await page.goto(`/console/users/${eve.id}`)
      await page.getByRole('tab', { name: 'Actions' }).click()
      await button(page, 'Ban for').click()
      await page.getByRole('menuitem', { name: 'One week' }).click()
      await button(page, 'Lift the ban').waitFor()
      await page.getByRole('tab', { name: 'Sessions' }).click()
      await page.getByRole('button', { name: /^End the session of/ }).first().click()
      await page.getByText('This account is signed in nowhere.').waitFor()
      assert.ok((await eve.client.auth.refreshSession()).error, 'the session is over')
      const { error } = await project.anon().auth.signInWithPassword({ email: eve.email, password: 'correct horse' })
      assert.equal(error.code, 'user_banned')
    }))

  test('Tuesday: creates, checks and schedules backups', () =>
    visitAsOwner(async (_, page) => {
      await page.goto('/console/backups')
      await button(page, 'Make a backup').click()
      await page.getByText('Made', { exact: true }).waitFor()
      await act(page, 'Check')
      await page.getByText('Made and checked').waitFor({ timeout: 120_000 })
      await page.getByRole('combobox', { name: 'How often' }).selectOption('day')
      await page.getByLabel('Time').fill('03:30')
      await button(page, 'Save the schedule').click()
      await page.getByText(/The next backup is due on/).waitFor()
    }))

  test('Wednesday: rotates the signing key, tokens stay valid', () =>
    visitAsOwner(async (_, page) => {
      await page.goto('/console/settings')
      await page.getByRole('button', { name: 'Rotate' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
      await page.getByText('Restart every server', { exact: true }).waitFor()
      assert.equal((await project.anon().from('products').select('name')).error, null)
    }))

  test('Wednesday: finds the PostgreSQL error of a request', () =>
    visitAsOwner(async (visit, page) => {
      const { error } = await project.service().from('products').insert({ name: 'A loss', price_cents: -1 })
      assert.equal(error.code, '23514')
      await page.goto('/console/logs')
      await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx')
      await row(page, '/rest/v1/products').filter({ hasText: '400' }).first().getByRole('link').click()
      const request = page.getByRole('dialog')
      await request.getByText('23514').first().waitFor()
      await request.getByRole('listitem').filter({ hasText: 'PostgreSQL' }).getByText(/violates check constraint/).waitFor()
      await visit.assertAccessible('a request and its lines')
    }))

  test('Thursday: sends a test mail, runs a job', () =>
    visitAsOwner(async (_, page) => {
      await page.goto('/console/authentication')
      await button(page, `Send a test to ${OWNER.email}`).click()
      await page.getByText(`The test to ${OWNER.email} was captured, since no relay is set`).waitFor()
      await page.goto('/console/integrations')
      await button(page, 'Actions for nightly').click()
      await page.getByRole('menuitem', { name: 'Run now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
      await row(page, 'nightly').getByText('succeeded').waitFor()
    }))

  test('Friday: invites a reader, whose update is refused', async () => {
    let link
    await visitAsOwner(async (_, page) => {
      await page.goto('/console/operators')
      await button(page, 'Invite').click()
      await page.getByRole('radio', { name: 'Read only' }).click()
      await button(page, 'Make a link').click()
      link = await page.locator('code').filter({ hasText: '/console/setup?token=' }).textContent()
    })
    await visiting(async (visit, page) => {
      await accept(page, new URL(link), READER)
      await page.goto('/console/sql')
      await page.getByRole('textbox', { name: 'SQL editor' }).click()
      await page.keyboard.insertText("update public.products set price_cents = 1")
      visit.expectRefusal(400, '/console/api/query')
      await page.keyboard.press('Control+Enter')
      await page.getByText(/read-only transaction|permission denied/).first().waitFor()
      await page.goto('/console/backups')
      await row(page, 'By hand').waitFor()
      assert.equal(await page.getByRole('button', { name: /^Actions for / }).count(), 0)
    })
  })

  test('Sunday: takes a mistake back by a restore', () =>
    visitAsOwner(async (visit, page) => {
      const names = async () => {
        const { data, error } = await project.service().from('products').select('name').order('name')
        return error ? error.message : data.map(({ name }) => name)
      }
      const before = await names()
      assert.ok(before.length > 0)
      // `cascade`, because orders may refer to products.
      await page.goto('/console/sql')
      await page.getByRole('textbox', { name: 'SQL editor' }).click()
      await page.keyboard.insertText('truncate public.products cascade')
      visit.expectRefusal(400, '/console/api/query')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: 'Allow writing and run again' }).click()
      await page.getByText(/^TRUNCATE/).first().waitFor()
      assert.deepEqual(await names(), [])

      await page.goto('/console/backups')
      await act(page, 'Restore…')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('What was written since is lost').waitFor()
      await visit.lookAround('week-restore')
      await dialog.getByLabel(/^Your password/).fill(OWNER.password)
      await dialog.getByLabel(/^Name of the project/).fill('shop')
      // While databases change places, the list may be refused for a moment.
      visit.tolerateRefusals(503)
      await button(dialog, 'Restore and lose what came since').click()
      await page.getByText(/^Restored on .* by ada@console\.test$/).waitFor({ timeout: 120_000 })
      await row(page, 'Before a restore').waitFor()
      await visit.lookAround('week-restored')
      assert.deepEqual(await names(), before)
    }))

  test('Sunday: finds the changes in the audit log', () =>
    visitAsOwner(async (_, page) => {
      await page.goto('/console/audit')
      await heading(page, 'Audit log')
      for (const words of [/backup .* restored/, /restore of backup/, 'truncate public.products', 'invitation, read_only', 'signing key rotated'])
        await page.getByRole('row').filter({ hasText: words }).first().waitFor()
      await row(page, READER.email).filter({ hasText: 'read only: update' }).first().waitFor()
    }))
})
