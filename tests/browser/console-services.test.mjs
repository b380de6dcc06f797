// The console's screens for functions, realtime, integrations, authentication and the API: each does its work against a
// project that has all of it, and axe looks at each at both widths and in both themes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { launch, Visit } from '../support/browser.mjs'
import { serve } from '../support/project.mjs'
import { scratchFolder } from '../support/server.mjs'

const OWNER = { email: 'ada@console.test', password: 'correct horse battery' }

let project
let browser
let cookies
let secrets

before(async () => {
  secrets = scratchFolder()
  const file = join(secrets.path, '.env')
  ;[project, browser] = await Promise.all([serve('shop', { FUNCTIONS_ENV_FILE: file }), launch()])
  const [, token] = /\/console\/setup\?token=(\S+)/.exec(project.server.printed() + project.server.log())
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
after(async () => {
  await Promise.all([browser?.close(), project?.end()])
  secrets?.remove()
})

/** A request to the console's API, as the page sends it. */
async function ask(path, body) {
  const response = await fetch(`${project.url}/console/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-console-request': '1',
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  assert.ok(response.ok, `${path}: ${response.status}`)
  return response.json()
}

const run = (query) => ask('query', { query, read_only: false })

const visiting = (look) =>
  Visit.during(browser, { url: project.url, locale: 'en-GB', theme: 'light' }, async (visit, page) => {
    await visit.context.addCookies(cookies)
    await look(visit, page)
  })

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('functions', () => {
  test('function call shows its response', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/functions')
      await page.getByRole('link', { name: 'price' }).click()
      await heading(page, 'price')
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      const answer = page.getByRole('status', { name: 'Answer' })
      await answer.getByText(/^200/).waitFor()
      await answer.getByText(/"cents": 4900/).waitFor()
      await visit.lookAround('console-function')
    }))

  test('secret is set and removed without being shown', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/functions')
      await page.getByLabel('Name', { exact: true }).fill('STRIPE_KEY')
      await page.getByLabel('Value', { exact: true }).fill('sk_live_12345')
      await page.getByRole('button', { name: 'Add the secret' }).click()
      await page.getByRole('cell', { name: 'STRIPE_KEY', exact: true }).waitFor()
      assert.match(readFileSync(join(secrets.path, '.env'), 'utf8'), /STRIPE_KEY=sk_live_12345/)
      assert.doesNotMatch(await page.content(), /sk_live_12345/)
      await visit.lookAround('console-functions')
      await page.getByRole('button', { name: 'Remove STRIPE_KEY' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('There are no secrets.').waitFor()
    }))
})

describe('realtime', () => {
  test('channel shows messages without a key in URLs', () =>
    visiting(async (visit, page) => {
      const sockets = []
      page.on('websocket', (socket) => sockets.push(socket))
      await page.goto('/console/realtime')
      await heading(page, 'Realtime')
      await visit.assertAccessible('no channel')
      await page.getByLabel('Name', { exact: true }).fill('room-1')
      await page.getByRole('button', { name: 'Watch' }).click()
      await page.getByText('Joined').waitFor()
      const other = project.anon()
      const channel = other.channel('room-1')
      await new Promise((joined) => channel.subscribe((state) => state === 'SUBSCRIBED' && joined()))
      await channel.track({ name: 'Grace' })
      await page.getByRole('heading', { name: '1 presence' }).waitFor()
      await page.getByLabel('Event', { exact: true }).fill('cursor')
      const broadcast = new Promise((done) => channel.on('broadcast', { event: 'cursor' }, done))
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await broadcast
      await page.getByText('cursor', { exact: true }).waitFor()
      await visit.lookAround('console-realtime')
      await other.removeAllChannels()
      assert.equal(sockets.length, 1)
      assert.match(sockets[0].url(), /\/console\/api\/realtime\/websocket\?/)
      assert.doesNotMatch(sockets[0].url(), /eyJ/)
    }))

  test('a socket ends when its session ends', () =>
    visiting(async (visit, page) => {
      // Another sign-in of the same owner, so that the others keep theirs.
      const session = await fetch(`${project.url}/console/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console-request': '1' },
        body: JSON.stringify(OWNER),
      })
      const [, value] = /console_session=([^;]*)/.exec(session.headers.get('set-cookie'))
      await visit.context.addCookies([{ name: 'console_session', value, url: `${project.url}/console` }])
      const [socket] = await Promise.all([page.waitForEvent('websocket'), page.goto('/console/realtime?channel=room-2')])
      await page.getByText('Joined').waitFor()
      const closed = socket.waitForEvent('close')
      await fetch(`${project.url}/console/api/session`, {
        method: 'DELETE',
        headers: { 'x-console-request': '1', cookie: `console_session=${value}` },
      })
      await closed
      // Before the client tries again.
      await page.goto('about:blank')
    }))
})

describe('integrations', () => {
  test('cron job runs on request and is recorded', () =>
    visiting(async (visit, page) => {
      await run(`select cron.schedule('yearly', '@yearly', 'insert into public.ticks default values')`)
      await page.goto('/console/integrations')
      await page.getByText('yearly').first().waitFor()
      await visit.lookAround('console-cron')
      const before = (await run('select count(*)::int from public.ticks')).rows[0][0]
      await page.getByRole('button', { name: 'Actions for yearly' }).click()
      await page.getByRole('menuitem', { name: 'Run now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('row').filter({ hasText: 'yearly' }).getByText('succeeded').waitFor()
      assert.ok((await run('select count(*)::int from public.ticks')).rows[0][0] > before)
    }))

  test('jobs, queues and webhooks are created by forms', () =>
    visiting(async (visit, page) => {
      const runShown = async () => {
        await page.getByRole('button', { name: 'Show the SQL' }).click()
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.goto('/console/integrations')
      await page.getByRole('button', { name: 'New job' }).click()
      await page.getByLabel('Name').fill('tidy')
      await page.getByLabel('Schedule (UTC)').fill('@yearly')
      await page.getByLabel('Command').fill("select 'tidy'")
      await visit.glance('console-job-form')
      await runShown()
      await page.getByRole('row').filter({ hasText: 'tidy' }).getByText('@yearly').waitFor()
      await page.goto('/console/integrations/queues')
      await page.getByRole('button', { name: 'New queue' }).click()
      await page.getByLabel('Name').fill('letters')
      await runShown()
      await page.getByRole('cell', { name: 'letters', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Actions for letters' }).click()
      await page.getByRole('menuitem', { name: 'Remove the queue' }).click()
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('No queues').waitFor()
      await page.goto('/console/integrations/webhooks')
      await page.getByRole('button', { name: 'New webhook' }).click()
      await page.getByLabel('Name').fill('tell_of_products')
      await page.getByRole('combobox', { name: 'Table' }).click()
      await page.getByRole('option', { name: 'public.products' }).click()
      await page.getByLabel('Address').fill('https://products.test/changed')
      await visit.glance('console-webhook-form')
      await runShown()
      await page.getByRole('row').filter({ hasText: 'tell_of_products' }).waitFor()
      await run('drop trigger tell_of_products on public.products')
    }))

  test('queue message is sent and archived', () =>
    visiting(async (visit, page) => {
      await run(`select pgmq.create('mails')`)
      await page.goto('/console/integrations/queues')
      await page.getByLabel('New message to mails').fill('{"to": "ada"}')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText('{"to":"ada"}').waitFor()
      await visit.lookAround('console-queues')
      await page.getByRole('button', { name: 'Actions for 1', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Archive' }).click()
      await page.getByText('The queue is empty.').waitFor()
    }))

  test('reveal of a vault secret is audited', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/integrations/vault')
      await page.getByLabel('Name', { exact: true }).fill('api_key')
      await page.getByLabel('Value', { exact: true }).fill('a sealed value')
      await page.getByRole('button', { name: 'Save the secret' }).click()
      await page.getByRole('cell', { name: 'api_key', exact: true }).waitFor()
      await visit.lookAround('console-vault')
      assert.doesNotMatch(await page.content(), /a sealed value/)
      await page.getByRole('button', { name: 'Show api_key' }).click()
      await page.getByRole('dialog').getByText('a sealed value').waitFor()
      const { entries } = await ask('audit')
      assert.ok(entries.some(({ summary }) => summary.includes('decrypted_secret')))
      assert.ok(entries.every(({ summary }) => !summary.includes('a sealed value')))
    }))

  test('webhook calls and background work are listed', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/integrations/webhooks')
      await page.getByRole('heading', { name: 'Calls that left' }).waitFor()
      await visit.glance('console-webhooks')
      await page.goto('/console/integrations/background')
      await page.getByText('auth.outbox').waitFor()
      await visit.glance('console-background')
    }))
})

describe('authentication', () => {
  test('mail template has a preview and test mail', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/authentication')
      await page.getByLabel('Mail', { exact: true }).selectOption('recovery')
      await page.frameLocator('iframe').getByText('123456').waitFor()
      await visit.lookAround('console-mails')
      await page.getByText('Español', { exact: true }).last().click()
      await page.getByText('Restablece tu contraseña').first().waitFor()
      await page.getByRole('button', { name: `Send a test to ${OWNER.email}` }).click()
      await page.getByText(`The test to ${OWNER.email} was captured, since no relay is set`).waitFor()
    }))

  test('providers and limits name their settings', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/authentication/providers')
      await page.getByRole('switch', { name: 'Show those that are off' }).click({ force: true })
      await page.getByText('/auth/v1/callback').first().waitFor()
      await visit.glance('console-providers')
      await page.getByRole('button', { name: 'Add a provider' }).click()
      const form = page.getByRole('dialog')
      await form.getByText('OAuth 2', { exact: true }).click()
      for (const label of ['Address of the sign-in page', 'Address for tokens', 'Address of the profile'])
        await form.getByLabel(label).fill('https://corp.test/oauth')
      for (const label of ['Name', 'Client id']) await form.getByLabel(label).fill('Corp')
      await form.getByLabel('Identifier').fill('corp')
      await form.getByLabel('Client secret', { exact: true }).fill('hidden')
      await visit.glance('console-custom-provider')
      await form.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Actions for Corp' }).click()
      await page.getByRole('menuitem', { name: 'Switch off' }).click()
      await page.getByRole('row', { name: /custom:corp/ }).getByText('Off', { exact: true }).waitFor()
      await page.goto('/console/authentication/limits')
      await page.getByText('GOTRUE_RATE_LIMIT_EMAIL_SENT').last().waitFor()
      await visit.glance('console-limits')
    }))
})

describe('API, advice and tables', () => {
  test('OpenAPI operation is sent from its page', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/connect?operation=get%20%2Fproducts')
      await page.getByLabel('limit', { exact: true }).fill('1')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('status', { name: 'Answer' }).getByText(/^200/).waitFor()
      await visit.lookAround('console-connect')
    }))

  test('advice is fixed by running its statement', () =>
    visiting(async (visit, page) => {
      await run('create table public.open_notes (id int primary key); grant select on public.open_notes to anon')
      await page.goto('/console/advice')
      const mend = page.getByRole('button', { name: /^Mend: .*open_notes/ }).first()
      await mend.click()
      await visit.assertAccessible('a statement that mends')
      await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const answer = await run(`select relrowsecurity from pg_class where relname = 'open_notes'`)
      assert.deepEqual(answer.rows, [[true]])
    }))

  test('functions and triggers are created by forms', () =>
    visiting(async (visit, page) => {
      await page.goto('/console/tables/public?view=functions')
      await page.getByRole('button', { name: 'Add function' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill('refuse_nothing')
      await dialog.getByLabel('Body').fill('begin\n  return new;\nend')
      await visit.assertAccessible('the form of a function')
      await dialog.getByRole('button', { name: 'Show SQL' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('cell', { name: 'refuse_nothing', exact: true }).waitFor()
      await visit.glance('console-routines')
      await page.goto('/console/tables/public/ticks?view=structure')
      await page.getByRole('button', { name: 'Add trigger' }).click()
      await dialog.getByLabel('Name', { exact: true }).fill('keep')
      await dialog.getByRole('combobox', { name: 'Function' }).click()
      await page.getByRole('option', { name: 'public.refuse_nothing' }).click()
      await visit.assertAccessible('the form of a trigger')
      await dialog.getByRole('button', { name: 'Show SQL' }).click()
      await page.getByText('create trigger "keep"').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('cell', { name: 'keep', exact: true }).waitFor()
    }))
})
