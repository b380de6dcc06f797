// A vote from the owner's settings to the game server, as both sides see it; and the pages that tell developers how.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'
import { startVotifier } from '../support/votifier.mjs'

const t = textsOf('fr')

let server
let browser
let listener
let ownServer

before(async () => {
  ;[server, browser, listener] = await Promise.all([
    startServer({
      args: ['--demo'],
      env: { CAPTCHA_COST: '50', OUTGOING_ALLOWED_HOSTS: '127.0.0.1', STATUS_RATE: '0' },
    }),
    launch(),
    startVotifier(),
  ])
  ;[ownServer] = await asOwner(
    server,
    `select s.id, s.slug from public.servers s join auth.users u on u.id = s.owner_id join public.games g on g.id = s.game_id
     where u.email = 'owner@palmares.test' and g.nickname_pattern is null and s.is_approved and not s.is_hidden order by s.created_at limit 1`,
  )
  await asOwner(server, 'delete from public.votifier_configs; delete from public.webhooks; delete from public.deliveries')
})
after(async () => {
  await Promise.all([browser?.close(), server?.stop()])
  await listener?.stop()
})

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)

async function signIn(page) {
  await page.getByRole('main').getByRole('button', { name: t('access:signIn.enter'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('auth:signIn.title'), exact: true })
  await dialog.getByLabel(t('auth:field.email')).fill('owner@palmares.test')
  await dialog.getByLabel(t('auth:field.password'), { exact: true }).fill('palmares-demo')
  await dialog.getByRole('button', { name: t('auth:signIn.submit'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('owner configures and tests vote delivery', () =>
  visiting({}, async (visit, page) => {
    await page.goto(`/edit-server/${ownServer.id}/integrations`)
    await signIn(page)
    const main = page.getByRole('main')
    const button = (key) => main.getByRole('button', { name: t(`integrations:${key}`), exact: true })
    const open = async (section) => {
      await main.getByRole('link', { name: t(`own-server:integrations.section.${section}`), exact: true }).click()
      await page.waitForURL(new RegExp(`section=${section}$`))
    }
    await main.getByText(`${server.url}/api/v1/servers/`, { exact: false }).first().waitFor()
    await visit.lookAround('integrations-api')
    await open('tickets')
    await main.getByText(t('own-server:integrations.tickets.require')).waitFor()
    await visit.lookAround('integrations-tickets')

    await open('votifier')
    await main.getByLabel(t('integrations:votifier.host'), { exact: true }).fill('127.0.0.1')
    await main.getByLabel(t('integrations:votifier.port'), { exact: true }).fill('70000')
    await button('create').click()
    await main.getByText(t('integrations:votifier.portRange')).first().waitFor()
    await main.getByLabel(t('integrations:votifier.port'), { exact: true }).fill(String(listener.port))
    await main.getByRole('textbox', { name: t('integrations:votifier.token') }).fill('wrong')
    await button('create').click()
    await button('votifier.test').click()
    await main.getByText(t('integrations:state.failed'), { exact: true }).waitFor()
    await main.getByRole('textbox', { name: t('integrations:votifier.token') }).fill(listener.token)
    await button('save').click()
    await page.waitForFunction((name) => [...document.querySelectorAll('main button')].some((one) => one.textContent === name && !one.disabled), t('integrations:votifier.test'))
    await button('votifier.test').click()
    await main.getByText(t('integrations:votifier.testDone')).waitFor()
    await visit.lookAround('integrations-votifier')

    await open('webhook')
    await main.getByLabel(t('integrations:webhook.url'), { exact: true }).fill('https://hooks.example/votes')
    await visit.lookAround('integrations-webhook')

    await visiting({ viewport: PHONE }, async (voter, shownPage) => {
      await shownPage.goto(`/serveur/${ownServer.slug}?vote=1&nickname=Ada`)
      const dialog = shownPage.getByRole('dialog')
      await dialog.getByRole('button', { name: t('vote:submit'), exact: true }).click()
      await dialog.getByText(t('vote:arrival.arrived')).waitFor()
      await voter.lookAround('vote-arrived')
    })
    await eventually(() => listener.votes().some(({ username }) => username === 'Ada'))

    await page.goto(`/edit-server/${ownServer.id}/integrations?section=deliveries`)
    await main.getByText('Ada', { exact: false }).first().waitFor()
    await visit.lookAround('integrations-log')
    assert.equal(await main.getByText(t('integrations:state.delivered'), { exact: true }).count(), 2)
  }))

test('developers read how to ask, and try it', () =>
  visiting({}, async (visit, page) => {
    await page.goto('/api-docs')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: t('api-docs:try.send') }).waitFor()
    await visit.lookAround('api-docs')
    await page.goto('/guide-votifier')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await visit.lookAround('votifier-guide')
  }))
