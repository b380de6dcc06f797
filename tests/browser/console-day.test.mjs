// A developer's day in the console of a shop: a table with its policy and rows, somebody who signs up, a picture, a function,
// a statement, the log of it, and at the end a backup, a mistake, and the restore that takes it back. What each screen does
// otherwise, and what axe says of it, is in the screens' own tests.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { launch, Visit } from '../support/browser.mjs'
import { firstLink } from '../support/console.mjs'
import { serve } from '../support/project.mjs'

const OWNER = { email: 'ada@console.test', password: 'correct horse battery' }
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let project
let browser

before(async () => {
  ;[project, browser] = await Promise.all([serve('shop'), launch()])
})
after(() => Promise.all([browser?.close(), project?.end()]))

const button = (page, name) => page.getByRole('button', { name, exact: true })
const cell = (page, name) => page.getByRole('gridcell', { name, exact: true })
const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor()

async function runSql(page, text) {
  await page.goto('/console/sql')
  await page.getByRole('textbox', { name: 'SQL editor' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Enter')
}

const steps = {
  async 'signs in by the link that was printed'(page) {
    const link = firstLink(project.server)
    await page.goto(link.pathname + link.search)
    await page.getByLabel('Email address').fill(OWNER.email)
    await page.getByLabel('Choose a password').fill(OWNER.password)
    await button(page, 'Create the account').click()
    await heading(page, 'Overview')
  },
  async 'makes a table'(page) {
    await page.goto('/console/tables/public')
    await button(page, 'New table').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).first().fill('songs')
    await button(dialog, 'Add column').click()
    await dialog.getByLabel('Name', { exact: true }).last().fill('title')
    await dialog.locator('input[aria-label=Type]').last().fill('text')
    await button(dialog, 'Show SQL').click()
    await page.getByText('create table "public"."songs"').waitFor()
    await button(page.getByRole('dialog'), 'Run').click()
    await page.waitForURL('**/console/tables/public/songs*')
  },
  async 'lets everybody read it'(page) {
    await page.goto('/console/tables/public/songs?view=structure')
    await button(page, 'Add policy').click()
    await button(page, 'Everybody reads').click()
    await button(page, 'Show SQL').click()
    await button(page, 'Run').click()
    await page.getByRole('cell', { name: 'Everybody reads', exact: true }).waitFor()
  },
  async 'imports rows'(page) {
    await page.goto('/console/tables/public/songs')
    await button(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Import CSV' }).click()
    const buffer = Buffer.from('id,title\n1,First\n2,Second\n')
    await page.setInputFiles('input[type=file]', { name: 'songs.csv', mimeType: 'text/csv', buffer })
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 rows imported').first().waitFor()
    const { data, error } = await project.anon().from('songs').select('title').order('id')
    assert.deepEqual([data, error], [[{ title: 'First' }, { title: 'Second' }], null])
  },
  async 'makes an account'(page) {
    await page.goto('/console/users')
    await button(page, 'Add user').click()
    await page.getByRole('menuitem', { name: 'Create an account' }).click()
    await page.getByLabel('Email address').fill('bob@shop.test')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await button(page, 'Create').click()
    await page.getByRole('link', { name: 'bob@shop.test' }).waitFor()
    const { error } = await project.anon().auth.signInWithPassword({ email: 'bob@shop.test', password: 'correct horse' })
    assert.equal(error, null)
  },
  async 'uploads a picture'(page) {
    await page.goto('/console/files/photos')
    await page.locator('input[type=file]').setInputFiles([{ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE }])
    await page.getByRole('link', { name: 'dot.png' }).waitFor()
  },
  async 'calls a function'(page) {
    await page.goto('/console/functions')
    await page.getByRole('link', { name: 'price' }).click()
    await button(page, 'Call').click()
    await page.getByRole('status', { name: 'Answer' }).getByText(/^200/).waitFor()
  },
  async 'asks the database'(page) {
    await runSql(page, 'select title from songs order by id')
    await cell(page, 'Second').waitFor()
  },
  async 'finds a refused request in the log'(page) {
    const { error } = await project.service().from('products').insert({ name: 'A loss', price_cents: -1 })
    assert.equal(error.code, '23514')
    await page.goto('/console/logs')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx')
    const line = page.getByRole('row').filter({ hasText: '/rest/v1/products' }).filter({ hasText: '400' }).first()
    await line.getByRole('link').click()
    await page.getByRole('dialog').getByText('23514').first().waitFor()
  },
  async 'makes a backup'(page) {
    await page.goto('/console/backups')
    await button(page, 'Make a backup').click()
    await page.getByText('Made', { exact: true }).waitFor()
  },
  async 'takes a mistake back by a restore'(page, visit) {
    visit.expectRefusal(400, '/console/api/query')
    await runSql(page, 'drop table songs')
    await button(page, 'Allow writing and run again').click()
    await page.getByText(/^DROP TABLE/).first().waitFor()
    assert.equal((await project.service().storage.from('photos').remove(['dot.png'])).error, null)

    await page.goto('/console/backups')
    const backup = page.getByRole('row').filter({ hasText: 'By hand' })
    await backup.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: 'Restore…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Your password/).fill(OWNER.password)
    await dialog.getByLabel(/^Name of the project/).fill('shop')
    // While databases change places, the list may be refused for a moment.
    visit.tolerateRefusals(503)
    await button(dialog, 'Restore and lose what came since').click()
    await page.getByText(/^Restored on .* by ada@console\.test$/).waitFor({ timeout: 120_000 })
    await page.goto('/console/tables/public/songs')
    await cell(page, 'Second').waitFor()
    const { data, error } = await project.anon().from('songs').select('title').order('id')
    assert.deepEqual([data, error], [[{ title: 'First' }, { title: 'Second' }], null])
    const picture = await project.service().storage.from('photos').download('dot.png')
    assert.deepEqual(Buffer.from(await picture.data.arrayBuffer()), PICTURE)
  },
}

describe("a developer's day", () => {
  let signedIn = []
  for (const [name, step] of Object.entries(steps))
    test(name, () =>
      Visit.during(browser, { url: project.url, locale: 'en-GB', theme: 'light' }, async (visit, page) => {
        await visit.context.addCookies(signedIn)
        await step(page, visit)
        signedIn = await visit.context.cookies()
      }),
    )
})
