// The console of a project: its first owner signs in by the link that the program prints, looks after accounts, files and
// logs, and finds what was done in the audit log. axe looks at every screen at both widths and in both themes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { launch, Visit } from '../support/browser.mjs'
import { serve } from '../support/project.mjs'
import { scratchFolder } from '../support/server.mjs'
import { totp } from '../support/totp.mjs'

const OWNER = { email: 'ada@console.test', password: 'a sentence of five words' }
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let project
let browser
/** The cookies of the owner, once signed in. */
let signedIn

before(async () => {
  ;[project, browser] = await Promise.all([serve('shop'), launch()])
})
after(() => Promise.all([browser?.close(), project?.end()]))

const visit = (look) => Visit.during(browser, { url: project.url, locale: 'en-GB' }, look)

/** A visit of the owner, whose session an earlier test began. */
const visitAsOwner = (look) =>
  visit(async (visit, page) => {
    await visit.context.addCookies(signedIn)
    await look(visit, page)
  })

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor()
const row = (page, name) => page.getByRole('row').filter({ hasText: name })

describe('the console', () => {
  test('accepts the printed setup link once', async () => {
    const link = project.server.printed().match(/\/console\/setup\?token=\S+/)[0]
    await visit(async (visit, page) => {
      visit.expectRefusal(401, '/console/api/session')
      await page.goto('/console')
      await heading(page, 'Sign in')
      await visit.lookAround('console-login')
      await page.goto(link)
      await page.getByLabel('Email address').fill(OWNER.email)
      await page.getByLabel('Choose a password').fill('short')
      await page.getByRole('button', { name: 'Create the account' }).click()
      await page.getByText('The password has fewer than 12 characters.').waitFor()
      await visit.lookAround('console-setup')
      await page.getByLabel('Choose a password').fill(OWNER.password)
      await page.getByRole('button', { name: 'Create the account' }).click()
      await heading(page, 'Overview')
      signedIn = await visit.context.cookies()
    })
    await visit(async (visit, page) => {
      visit.expectRefusal(410, '/console/api/setup')
      await page.goto(link)
      await heading(page, 'This link is no longer valid')
    })
  })

  test('shows services, database size and advice', () =>
    visitAsOwner(async (visit, page) => {
      assert.equal((await project.anon().from('products').select('name')).error, null)
      await page.goto('/console/overview')
      await heading(page, 'Overview')
      await page.getByRole('listitem').filter({ hasText: 'rest' }).getByText('Up').waitFor()
      await page.getByText('Database size').waitFor()
      await page.getByRole('link', { name: 'Read the advice' }).waitFor()
      await visit.lookAround('console-overview')
      await visit.assertSteady()
    }))

  test('makes, bans and deletes an account', () =>
    visitAsOwner(async (visit, page) => {
      await page.goto('/console/users')
      await heading(page, 'Users')
      await page.getByRole('button', { name: 'Add user' }).click()
      await page.getByRole('menuitem', { name: 'Create an account' }).click()
      await page.getByLabel('Email address').fill('bob@shop.test')
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('searchbox', { name: 'Search by address or name' }).fill('bob@')
      await page.getByText('1 user', { exact: true }).waitFor()
      await visit.lookAround('console-users')

      await page.getByRole('link', { name: 'bob@shop.test' }).click()
      await page.getByRole('tab', { name: 'Claims' }).click()
      await page.getByText('"role": "authenticated"').waitFor()
      await visit.lookAround('console-user')
      await page.getByRole('tab', { name: 'Actions' }).click()
      await page.getByRole('button', { name: 'Ban for' }).click()
      await page.getByRole('menuitem', { name: 'One week' }).click()
      await page.getByRole('button', { name: 'Lift the ban' }).waitFor()
      const refusal = await project.anon().auth.signInWithPassword({ email: 'bob@shop.test', password: 'correct horse' })
      assert.equal(refusal.error.code, 'user_banned')

      await page.getByRole('button', { name: 'Delete' }).click()
      const question = page.getByRole('dialog', { name: 'Delete bob@shop.test?' })
      await question.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Nobody matches').waitFor()
    }))

  test('uploads an image and signs its URL', () =>
    visitAsOwner(async (visit, page) => {
      await page.goto('/console/files')
      await page.getByRole('link', { name: 'photos' }).click()
      await page.getByText('This folder is empty').waitFor()
      visit.expectRefusal(415, /upload\/resumable$/)
      await page.locator('input[type=file]').setInputFiles([
        { name: 'dot.png', mimeType: 'image/png', buffer: PICTURE },
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
      ])
      await page.getByText('Uploads are over').waitFor()
      await page.getByText('mime type text/plain is not supported').waitFor()
      await page.getByRole('button', { name: 'Close the list' }).click()
      await visit.lookAround('console-files')

      await page.getByRole('link', { name: 'dot.png' }).click()
      await page.waitForFunction(() => document.querySelector('[role=dialog] img')?.naturalWidth === 1)
      await page.getByRole('button', { name: 'Make a signed address' }).click()
      const address = await page.locator('code').filter({ hasText: 'token=' }).textContent()
      assert.deepEqual(Buffer.from(await (await fetch(address)).arrayBuffer()), PICTURE)
      await visit.lookAround('console-file')
    }))

  test('resumes an upload after disconnection and reload', () =>
    visitAsOwner(async (visit, page) => {
      const folder = scratchFolder()
      const file = join(folder.path, 'film.bin')
      const content = randomBytes(20_000_000)
      writeFileSync(file, content)
      const { error } = await project.service().storage.createBucket('films')
      assert.equal(error, null)
      const parts = '**/storage/v1/upload/resumable/*'
      const cleanups = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/upload/resumable')) cleanups.push(request.url())
      })
      page.on('dialog', (dialog) => dialog.accept())
      await page.goto('/console/files/films')
      await page.getByText('This folder is empty').waitFor()
      // The second part finds no network.
      await page.route(parts, async (route) => {
        await visit.context.setOffline(true)
        await route.abort('internetdisconnected')
      })
      visit.expectLoss('/storage/v1/upload/resumable/')
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByText('The upload goes on when it is back.').waitFor()
      // The next one is under way when the page is loaded again.
      await page.unroute(parts)
      let hold
      const held = new Promise((resolve) => (hold = resolve))
      await page.route(parts, (route) => (route.request().method() === 'PATCH' ? hold() : route.continue()))
      await visit.context.setOffline(false)
      await held
      await page.reload()
      await page.unroute(parts)
      await page.getByText('1 upload is unfinished').waitFor()
      await visit.assertAccessible('an unfinished upload')
      const picking = page.getByLabel('Pick film.bin')
      await picking.last().setInputFiles({ name: 'film.bin', mimeType: '', buffer: Buffer.from('another') })
      await page.getByText('This is another file than film.bin').waitFor()
      await picking.last().setInputFiles(file)
      await page.getByText('Uploads are over').waitFor()
      assert.equal(cleanups.length, 1, 'it was begun once')
      const stored = await project.service().storage.from('films').download('film.bin')
      assert.ok(Buffer.from(await stored.data.arrayBuffer()).equals(content))
      assert.equal(await page.evaluate(() => localStorage.getItem('console-uploads')), '[]')
      folder.remove()
    }))

  test('creates a bucket policy from a template', () =>
    visitAsOwner(async (visit, page) => {
      await page.goto('/console/files/photos')
      await page.getByRole('button', { name: 'Policies' }).click()
      const drawer = page.getByRole('dialog', { name: 'Policies of photos' })
      await drawer.getByRole('cell', { name: 'people read their photos', exact: true }).waitFor()
      await visit.lookAround('console-bucket-policies')
      await drawer.getByRole('button', { name: 'Add policy' }).click()
      await page.getByRole('button', { name: 'A folder for each user' }).click()
      await page.getByRole('button', { name: 'Show SQL' }).click()
      await page.getByText('create policy "photos: A folder for each user" on "storage"."objects"').waitFor()
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await drawer.getByRole('cell', { name: 'photos: A folder for each user', exact: true }).waitFor()
      await page.goto('/console/files/films?policies=open')
      await page.getByText('No policy names this bucket').waitFor()
    }))

  test('shows a refused request with its database error', () =>
    visitAsOwner(async (visit, page) => {
      const { error } = await project.service().from('products').insert({ name: 'A loss', price_cents: -1 })
      assert.equal(error.code, '23514')
      await page.goto('/console/logs')
      await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx')
      const request = row(page, '/rest/v1/products').filter({ hasText: '400' }).first()
      await request.waitFor()
      await visit.lookAround('console-logs')
      await request.getByRole('link').click()
      await page.getByRole('dialog').getByText('23514').first().waitFor()
      await visit.lookAround('console-request')
    }))

  test('gives advice with the statement that mends it', () =>
    visitAsOwner(async (visit, page) => {
      await page.goto('/console/advice')
      await page.getByText('This statement mends it').first().waitFor()
      await visit.lookAround('console-advice')
    }))

  test('shows public key and types, no service key', () =>
    visitAsOwner(async (visit, page) => {
      await page.goto('/console/connect')
      await page.locator('code').filter({ hasText: project.server.keys.ANON_KEY }).first().waitFor()
      await page.getByRole('button', { name: 'Generate' }).click()
      await page.getByText('export type Database').waitFor()
      await visit.lookAround('console-connect')
      assert.ok(!(await page.content()).includes(project.server.keys.SERVICE_ROLE_KEY))
    }))

  test('asks for the second factor after its enrollment', async () => {
    let secret
    await visitAsOwner(async (visit, page) => {
      await page.goto('/console/settings')
      await page.getByRole('button', { name: 'Add a second factor' }).click()
      const code = page.getByLabel('Code that the app shows')
      await code.waitFor()
      secret = await page.locator('form', { has: code }).locator('code').first().textContent()
      await visit.lookAround('console-settings')
      await code.fill(totp(secret))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('The second factor is on.').waitFor()
    })
    await visit(async (visit, page) => {
      visit.expectRefusal(401, '/console/api/session')
      visit.expectRefusal(401, '/console/api/session')
      await page.goto('/console/audit')
      await page.getByLabel('Email address').fill(OWNER.email)
      await page.getByLabel('Password').first().fill(OWNER.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByLabel('Code of six digits').fill(totp(secret, 1))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await heading(page, 'Audit log')
    })
  })

  test('invites an operator who may only read', async () => {
    let link
    await visitAsOwner(async (visit, page) => {
      await page.goto('/console/operators')
      await row(page, OWNER.email).waitFor()
      await visit.lookAround('console-operators')
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByRole('radio', { name: 'Read only' }).click()
      await page.getByRole('button', { name: 'Make a link' }).click()
      link = await page.locator('code').filter({ hasText: '/console/setup?token=' }).textContent()
    })
    await visit(async (visit, page) => {
      await page.goto(new URL(link).pathname + new URL(link).search)
      await page.getByLabel('Email address').fill('cy@console.test')
      await page.getByLabel('Choose a password').fill('another sentence of words')
      await page.getByRole('button', { name: 'Create the account' }).click()
      await heading(page, 'Overview')
      await page.goto('/console/users')
      await heading(page, 'Users')
      assert.equal(await page.getByRole('button', { name: 'Add user' }).count(), 0)
    })
  })

  test('keeps what was done, and by whom', () =>
    visitAsOwner(async (visit, page) => {
      await page.goto('/console/audit')
      await row(page, '/auth/v1/admin/users').first().waitFor()
      assert.ok((await row(page, OWNER.email).count()) > 0)
      await visit.lookAround('console-audit')
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Go to a screen or a table').fill('products')
      await page.getByText('products').last().click()
      await page.waitForURL('**/console/tables/public/products')
    }))
})
