// Backups and keys in the console of a project: an owner makes a backup, saves it, checks that it can be restored, has
// the next ones made by themselves, and changes the key that signs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'

import { launch, Visit } from '../support/browser.mjs'
import { firstLink } from '../support/console.mjs'
import { serve } from '../support/project.mjs'

const OWNER = { email: 'ada@console.test', password: 'correct horse battery' }

let project
let browser
let cookies

before(async () => {
  ;[project, browser] = await Promise.all([serve('notes'), launch()])
  const token = firstLink(project.server).searchParams.get('token')
  const response = await fetch(`${project.url}/console/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-console-request': '1' },
    body: JSON.stringify({ token, ...OWNER }),
  })
  assert.equal(response.status, 200)
  cookies = response.headers.getSetCookie().map((line) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
    return { name, value, url: `${project.url}/console` }
  })
})
after(() => Promise.all([browser?.close(), project?.end()]))

const visiting = (look) =>
  Visit.during(browser, { url: project.url, locale: 'en-GB', theme: 'light' }, async (visit, page) => {
    await visit.context.addCookies(cookies)
    await look(visit, page)
  })
const act = async (page, name) => {
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name }).click()
}

describe('backups', () => {
  test('a backup is made, checked and saved', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/backups')
      await page.getByText('No backup yet').waitFor()
      await page.getByRole('button', { name: 'Make a backup' }).click()
      await page.getByText('Made', { exact: true }).waitFor()
      await act(page, 'Check')
      await page.getByText('Made and checked').waitFor({ timeout: 120_000 })
      await page.getByText(/Restored on trial on .*tables \d+ · rows \d+/).waitFor()
      await visit.lookAround('console-backups')
      const saving = page.waitForEvent('download')
      await act(page, 'Download')
      const saved = await saving
      assert.match(saved.suggestedFilename(), /^20\d\d-.*\.backup$/)
      const bytes = readFileSync(await saved.path())
      assert.equal(bytes.subarray(0, 11).toString(), 'backup.json')
      await page.goto('/console/overview')
      await page.getByRole('link', { name: /ago|now/ }).waitFor()
    }))

  test('schedule survives a reload, backup is deleted', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/backups')
      await page.getByRole('combobox', { name: 'How often' }).selectOption('week')
      await page.getByRole('combobox', { name: 'Day' }).selectOption({ label: 'Sunday' })
      await page.getByLabel('Time').fill('04:15')
      await page.getByLabel('Keep at most').fill('3')
      await visit.assertAccessible('a schedule')
      await page.getByRole('button', { name: 'Save the schedule' }).click()
      await page.getByText(/The next backup is due on/).waitFor()
      await page.reload()
      await page.getByText(/The next backup is due on/).waitFor()
      assert.equal(await page.getByLabel('Time').inputValue(), '04:15')
      assert.equal(await page.getByLabel('Keep at most').inputValue(), '3')
      await act(page, 'Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No backup yet').waitFor()
    }))
})

describe('keys', () => {
  test('secret key needs a password, rotation a restart', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/settings')
      const line = page.getByRole('region', { name: 'Keys' })
      await line.getByRole('button', { name: 'Show' }).first().click()
      const dialog = page.getByRole('dialog')
      visit.expectRefusal(403, /keys\/service_role\/value$/)
      await dialog.getByLabel('Your password').fill('not this one')
      await dialog.getByRole('button', { name: 'Show', exact: true }).click()
      await dialog.getByText('This is not your password.').waitFor()
      await dialog.getByLabel('Your password').fill(OWNER.password)
      await dialog.getByRole('button', { name: 'Show', exact: true }).click()
      await dialog.getByText(project.server.keys.SERVICE_ROLE_KEY).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Rotate' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
      await page.getByText('Restart every server', { exact: true }).waitFor()
      await page.getByText('Used before', { exact: true }).waitFor()
      await visit.lookAround('console-keys')
    }))

  test('replaced secret key is valid until revoked', async () => {
    const status = async (key) => {
      const response = await fetch(`${project.server.url}/auth/v1/admin/users`, { headers: { apikey: key } })
      return response.status
    }
    const before = project.server.keys.SUPABASE_SECRET_KEY
    assert.equal(await status(before), 200)
    let made
    await visiting(async (_, page) => {
      await page.goto('/console/settings')
      await page.getByRole('button', { name: /^Replace sb_secret_/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Your password').fill(OWNER.password)
      await dialog.getByRole('button', { name: 'Replace' }).click()
      made = await dialog.getByText(/^sb_secret_/).innerText()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('row', { name: /sb_secret_.*Used before/ }).waitFor()
    })
    await project.again()
    assert.deepEqual([await status(before), await status(made)], [200, 200])
    assert.equal(project.server.keys.SUPABASE_SECRET_KEY, made)
    const { url } = project.server
    await Visit.during(browser, { url, locale: 'en-GB', theme: 'light' }, async (visit, page) => {
      await visit.context.addCookies(cookies.map((cookie) => ({ ...cookie, url: `${url}/console` })))
      await page.goto('/console/settings')
      await page.getByRole('button', { name: /^Revoke sb_secret_/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('The key was revoked. Restart every server.').waitFor()
    })
    await project.again()
    assert.deepEqual([await status(before), await status(made)], [403, 200])
  })
})
