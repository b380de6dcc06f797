// Operators of the console: passkeys, in Chromium's own virtual authenticator, and what they do about accounts: sessions, and
// one request as somebody else.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { runCommand } from '../support/command.mjs'
import { PROJECTS, serve } from '../support/project.mjs'

const OWNER = { email: 'ada@console.test', password: 'a sentence of five words' }

let project
let browser
/** The console at a numeric address: passkeys belong to a host name, which is `localhost` otherwise. */
let byNumber

before(async () => {
  ;[project, browser] = await Promise.all([serve('shop'), launch()])
  byNumber = project.url.replace('localhost', '127.0.0.1')
})
after(() => Promise.all([browser?.close(), project?.end()]))

const visit = (url, look) => Visit.during(browser, { url, locale: 'en-GB' }, look)
const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor()
const button = (page, name) => page.getByRole('button', { name, exact: true })

/** Gives the browser an authenticator that knows its holder and always agrees. */
async function holdAuthenticator({ context, page }) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, authenticatorId }
}

async function signOut(page) {
  await page.getByRole('button', { name: OWNER.email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in')
}

async function showPassword(page) {
  await page.getByLabel('Email address').fill(OWNER.email)
  await page.getByLabel('Password').first().fill(OWNER.password)
  await button(page, 'Sign in').click()
}

describe('a passkey', () => {
  test('opens the console alone and after the password', () =>
    visit(project.url, async (visit, page) => {
      const { devtools, authenticatorId } = await holdAuthenticator(visit)
      const [link] = project.server.printed().match(/\/console\/setup\?token=\S+/)
      await page.goto(link)
      await page.getByLabel('Email address').fill(OWNER.email)
      await page.getByLabel('Choose a password').fill(OWNER.password)
      await button(page, 'Create the account').click()
      await heading(page, 'Overview')

      await page.goto('/console/settings')
      await button(page, 'Add a passkey').click()
      const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
      await dialog.getByLabel('Name').fill('Laptop')
      await dialog.getByLabel('Your password').first().fill(OWNER.password)
      await visit.lookAround('console-passkey-form')
      await button(dialog, 'Continue').click()
      await page.getByText('The passkey was added.').waitFor()
      const laptop = page.getByRole('listitem').filter({ hasText: 'Laptop' })
      await laptop.waitFor()
      await visit.lookAround('console-passkeys')

      await signOut(page)
      await visit.lookAround('console-login-passkey')
      await button(page, 'Sign in with a passkey').click()
      await heading(page, 'Overview')

      await signOut(page)
      visit.expectRefusal(401, '/console/api/session')
      await showPassword(page)
      await page.getByText('Confirm with your passkey that it is you.').waitFor()
      await visit.lookAround('console-login-second-passkey')
      await button(page, 'Use your passkey').click()
      await heading(page, 'Overview')

      // An authenticator that does not verify its user is refused.
      await signOut(page)
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
      await button(page, 'Sign in with a passkey').click()
      await page.getByText('The browser showed no passkey.').waitFor()
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
      await button(page, 'Sign in with a passkey').click()
      await heading(page, 'Overview')
    }))

  test('is unavailable when the host is an IP', () =>
    visit(byNumber, async (visit, page) => {
      visit.expectRefusal(401, '/console/api/session')
      await page.goto('/console/login')
      await heading(page, 'Sign in')
      assert.equal(await button(page, 'Sign in with a passkey').count(), 0)
      await showPassword(page)
      await page.getByText('Your passkey works at localhost.').waitFor()
    }))
})

describe('an operator', () => {
  let cookies
  let eve

  before(async () => {
    eve = await project.account('eve')
    const run = await project.service().from('products').insert({ name: 'Lamp', price_cents: 900 }).select().single()
    assert.equal(run.error, null)
    assert.equal((await eve.client.from('orders').insert({ product: run.data.id })).error, null)
    const bob = await project.account('bob')
    assert.equal((await bob.client.from('orders').insert({ product: run.data.id })).error, null)
  })

  test('a locked-out operator returns by the command’s link', () =>
    visit(project.url, async (visit, page) => {
      const options = ['--data-dir', project.dataDir, '--port', new URL(project.url).port]
      const { code, output } = await runCommand('supabase-compat', ['console', 'owner-link', join(PROJECTS, 'shop'), ...options])
      assert.equal(code, 0, output)
      const link = new URL(output.match(/http:\S+\/console\/setup\?token=\S+/)[0])
      assert.equal(link.host, new URL(byNumber).host)
      await page.goto(link.pathname + link.search)
      await page.getByLabel('Email address').fill('second@console.test')
      await page.getByLabel('Choose a password').fill(OWNER.password)
      await button(page, 'Create the account').click()
      await heading(page, 'Overview')
      await page.goto('/console/audit')
      await page.getByRole('row').filter({ hasText: 'console owner-link' }).waitFor()
      cookies = await visit.context.cookies()
    }))

  const visitAsOwner = (look) =>
    visit(project.url, async (visit, page) => {
      await visit.context.addCookies(cookies)
      await page.goto(`/console/users/${eve.id}`)
      await look(visit, page)
    })

  test('ends the session of an account', () =>
    visitAsOwner(async (visit, page) => {
      await page.getByRole('tab', { name: 'Sessions' }).click()
      const session = page.getByRole('listitem').filter({ hasText: 'Since' })
      await session.first().waitFor()
      await visit.lookAround('console-user-sessions')
      assert.equal((await eve.client.auth.refreshSession()).error, null)
      await session.first().getByRole('button', { name: /^End the session of/ }).click()
      await page.getByText('The session was ended.').waitFor()
      await page.getByText('This account is signed in nowhere.').waitFor()
      const refused = await eve.client.auth.refreshSession()
      assert.ok(refused.error, 'the session is over')
    }))

  test('makes requests with the rights of an account', () =>
    visitAsOwner(async (visit, page) => {
      await page.getByRole('tab', { name: 'Act as' }).click()
      await page.getByLabel('Address below rest/v1').fill('orders?select=buyer')
      await button(page, 'Send as this user').click()
      const answer = page.getByRole('group', { name: 'Answer' })
      await answer.waitFor()
      assert.deepEqual(JSON.parse(await answer.textContent()), [{ buyer: eve.id }])
      await visit.lookAround('console-user-acting')

      await page.getByRole('tabpanel', { name: 'Act as' }).getByText('SQL', { exact: true }).click()
      await page.getByLabel('Statement').fill('select buyer, auth.uid() as uid, current_user::text as role from orders')
      await button(page, 'Run as this user').click()
      await page.getByText('"role"').waitFor()
      const row = { buyer: eve.id, uid: eve.id, role: 'authenticated' }
      assert.deepEqual(JSON.parse(await answer.textContent()), [row])

      visit.expectRefusal(400, '/console/api/query')
      await page.getByLabel('Read only').uncheck()
      await page.getByLabel('Statement').fill("insert into products (name, price_cents) values ('Gift', 0)")
      await button(page, 'Run as this user').click()
      await page.getByText(/row-level security/).waitFor()
    }))
})
